#if os(Linux)
    import Foundation
    import Testing

    @testable import QueuePools

    @Suite("Names of worker threads", .timeLimit(.minutes(15)))
    struct ThreadNameTests {
        static let names = [
            ("feed", "feed"),
            ("exactly fifteen", "exactly fifteen"),
            ("feed.userInteractive.12", "feed.us~tive.12"),
            ("R", "R"),
            ("a b) R 1", "a b) R 1"),
            (String(repeating: "x", count: 200), "xxxxxxx~xxxxxxx"),
            ("🎨🎨🎨🎨🎨", "🎨~🎨🎨"),
            ("👩‍👩‍👧‍👦 family", "~ family"),
        ]

        @Test("a label is cut in its middle, to 15 bytes, between characters", arguments: names)
        func cut(label: String, name: String) {
            #expect(threadName(for: label) == name)
            #expect(threadName(for: label).utf8.count <= 15)
        }

        @Test("a queue's thread has its name, whatever the label", arguments: names)
        func named(label: String, name: String) throws {
            let queue = try WorkerQueue(withThread: label)
            let comm = try queue.runOnThread {
                try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            }
            #expect(comm == name + "\n")
            #expect(queue.label == label)
        }
    }
#endif
