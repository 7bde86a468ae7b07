@main enum FeedDemo { static func main() {} }
