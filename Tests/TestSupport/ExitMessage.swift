import Testing

extension ExitTest.Result {
    /// The process's last words, for a test that observes its standard error.
    package var message: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
