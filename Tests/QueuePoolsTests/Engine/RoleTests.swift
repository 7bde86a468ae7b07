#if os(Linux)
    import Testing
    import TestSupport

    @testable import QueuePools

    @Suite("Roles of the engine", .timeLimit(.minutes(15)))
    struct RoleTests {
        #if DEBUG
            @Test("a queue whose holder forgets it traps in a debug build")
            func lostQueue() async throws {
                let result = try await #require(
                    processExitsWith: .failure, observing: [\.standardErrorContent]
                ) {
                    let queue = try WorkerQueue(withThread: "q")
                    if let receiver = queue.mailboxQueue.mailbox.send(.skipped, (0, 0)) {
                        _ = HeldQueue(queue.mailboxQueue, receiver: receiver)
                    }
                }
                let text = String(decoding: result.standardErrorContent, as: UTF8.self)
                #expect(text.contains("a mailbox has lost its receiver"))
            }

            @Test("a thread that looked for work and forgets it traps in a debug build")
            func lostSearch() async throws {
                let result = try await #require(
                    processExitsWith: .failure, observing: [\.standardErrorContent]
                ) {
                    _ = try WorkerQueue(withThread: "q").group.parking.begin()
                }
                let text = String(decoding: result.standardErrorContent, as: UTF8.self)
                #expect(text.contains("neither found some nor parked"))
            }

            @Test("a message that is neither run nor dropped traps in a debug build")
            func lostMessage() async throws {
                let result = try await #require(
                    processExitsWith: .failure, observing: [\.standardErrorContent]
                ) {
                    let mailbox = Mailbox(isAnnounced: true)
                    if let receiver = mailbox.send(.closure, Closure {}.intoWords()) {
                        _ = receiver.take()
                        receiver.destroy()
                    }
                }
                let text = String(decoding: result.standardErrorContent, as: UTF8.self)
                #expect(text.contains("neither run nor dropped"))
            }
        #endif

        @Test("a thread that helps a queue whose due jobs submit themselves again needs no stack for each")
        func dueWhileHelping() throws {
            let (queue, ran) = (try WorkerQueue(withThread: "q"), Counter())
            try queue.sync {}
            var role = queue.mailboxQueue.mailbox.send(.skipped, (0, 0))
            // A sender that has not published keeps later messages from being read.
            let stuck = queue.mailboxQueue.mailbox.takePosition().position
            @Sendable func submit() {
                _ = try? queue.async(after: .zero) {
                    ran.increment()
                    if ran.value < 100_000 { return submit() }
                    queue.mailboxQueue.makeReady(queue.mailboxQueue.jobs.skip(stuck))
                }
            }
            submit()
            SyncCall.withCall { call in
                guard let receiver = role.take() else { return }
                HeldQueue(queue.mailboxQueue, receiver: receiver).runUntilGranted(call)
            }
            #expect(ran.value == 100_000)
            #expect(try queue.sync { true })
        }
    }
#endif
