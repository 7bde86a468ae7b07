#if os(Linux)
    import MemoryModel
    import Testing

    /// The tests by which memory models are told apart, under their usual names.
    extension ModelTests {
        @Suite("The model of weak memory")
        struct LitmusTests {
            typealias Body = (_ t: Hand, _ x: AtomicLocation, _ y: AtomicLocation) -> [Int]

            /// The results that threads over two locations, both 0 at first, can find.
            func outcomes(_ bodies: Body...) throws -> Set<[Int]> {
                try outcomes(bodies) { results, _, _ in results }
            }

            func outcomes(
                _ bodies: [Body], _ outcome: @escaping ([Int], AtomicLocation, AtomicLocation) -> [Int]
            ) throws -> Set<[Int]> {
                nonisolated(unsafe) let bodies = bodies
                nonisolated(unsafe) let outcome = outcome
                nonisolated(unsafe) var outcomes: Set<[Int]> = []
                try Explorer(
                    ModelProgram("litmus") { execution in
                        let words = ModelMemory.allocate(byteCount: 128, alignment: 64)
                        let (x, y) = (AtomicLocation(at: words), AtomicLocation(at: words + 64))
                        let results = Results(count: bodies.count)
                        for (index, body) in bodies.enumerated() {
                            execution.thread("thread \(index)") {
                                results.values[index] = body(Hand(), x, y)
                            }
                        }
                        execution.check {
                            outcomes.insert(outcome(results.values.flatMap(\.self), x, y))
                            return nil
                        }
                    }
                ).run()
                return outcomes
            }

            private final class Results {
                var values: [[Int]]
                init(count: Int) { values = Array(repeating: [], count: count) }
            }

            // MARK: Release and acquire

            @Test("message passing: only with release and acquire is the message never stale")
            func messagePassing() throws {
                func outcomes(_ store: Ordering, _ load: Ordering) throws -> Set<[Int]> {
                    try self.outcomes(
                        { t, x, y in
                            t.store(x, 1, .relaxed)
                            t.store(y, 1, store)
                            return []
                        }, { t, x, y in [t.load(y, load), t.load(x, .relaxed)] })
                }
                #expect(try outcomes(.releasing, .acquiring) == [[0, 0], [0, 1], [1, 1]])
                #expect(try outcomes(.relaxed, .acquiring) == [[0, 0], [0, 1], [1, 1], [1, 0]])
                #expect(try outcomes(.releasing, .relaxed) == [[0, 0], [0, 1], [1, 1], [1, 0]])
            }

            @Test("message passing: fences serve relaxed accesses")
            func messagePassingWithFences() throws {
                func isStale(_ release: Ordering, _ acquire: Ordering) throws -> Bool {
                    try outcomes(
                        { t, x, y in
                            t.store(x, 1, .relaxed)
                            t.fence(release)
                            t.store(y, 1, .relaxed)
                            return []
                        },
                        { t, x, y in
                            let flag = t.load(y, .relaxed)
                            t.fence(acquire)
                            return [flag, t.load(x, .relaxed)]
                        }
                    ).contains([1, 0])
                }
                #expect(try !isStale(.releasing, .acquiring))
                #expect(try !isStale(.sequentiallyConsistent, .sequentiallyConsistent))
                #expect(try isStale(.acquiring, .acquiring))
                #expect(try isStale(.releasing, .releasing))
            }

            @Test("a value that was acquired is released further")
            func causality() throws {
                let outcomes = try outcomes(
                    { t, x, _ in
                        t.store(x, 1, .releasing)
                        return []
                    },
                    { t, x, y in
                        let seen = t.load(x, .acquiring)
                        t.store(y, 1, .releasing)
                        return [seen]
                    }, { t, x, y in [t.load(y, .acquiring), t.load(x, .relaxed)] })
                #expect(outcomes.contains([1, 1, 1]) && !outcomes.contains([1, 1, 0]))
            }

            @Test("an update continues a release sequence, a store does not")
            func releaseSequence() throws {
                func isStale(_ middle: @escaping Body) throws -> Bool {
                    try outcomes(
                        { t, x, y in
                            t.store(x, 1, .relaxed)
                            t.store(y, 1, .releasing)
                            return []
                        },
                        middle, { t, x, y in [t.load(y, .acquiring), t.load(x, .relaxed)] }
                    ).contains([2, 0])
                }
                #expect(
                    try !isStale { t, _, y in
                        _ = t.compareExchange(y, expected: 1, desired: 2, .relaxed)
                        return []
                    })
                #expect(
                    try isStale { t, _, y in
                        if t.load(y, .relaxed) == 1 { t.store(y, 2, .relaxed) }
                        return []
                    })
            }

            @Test("message passing: a failed compare-and-exchange is a load with the failure's ordering")
            func messagePassingWithFailure() throws {
                func isStale(_ success: Ordering, failure: Ordering?) throws -> Bool {
                    try outcomes(
                        { t, x, y in
                            t.store(x, 1, .relaxed)
                            t.store(y, 1, .releasing)
                            return []
                        },
                        { t, x, y in
                            let exchange = t.compareExchange(
                                y, expected: 2, desired: 3, success, failure: failure)
                            return [exchange.original, t.load(x, .relaxed)]
                        }
                    ).contains([1, 0])
                }
                #expect(try !isStale(.relaxed, failure: .acquiring))
                #expect(try isStale(.acquiringAndReleasing, failure: .relaxed))
                // Where one ordering is given, a failure has its acquiring half.
                #expect(try !isStale(.acquiringAndReleasing, failure: nil))
                #expect(try isStale(.releasing, failure: nil))
            }

            @Test("a failed compare-and-exchange releases nothing, and leaves a release sequence alone")
            func failureWritesNothing() throws {
                let outcomes = try outcomes(
                    { t, x, y in
                        t.store(x, 1, .relaxed)
                        _ = t.compareExchange(y, expected: 1, desired: 2, .acquiringAndReleasing)
                        return []
                    }, { t, x, y in [t.exchange(y, 3, .acquiring), t.load(x, .relaxed)] })
                #expect(outcomes == [[0, 0], [0, 1]])
            }

            @Test("a failed compare-and-exchange may return an old value, a successful one has the newest")
            func failureIsOld() throws {
                func outcomes(_ failure: Ordering) throws -> Set<[Int]> {
                    try self.outcomes(
                        { t, x, y in
                            t.store(x, 1, .sequentiallyConsistent)
                            return [
                                t.compareExchange(y, expected: 2, desired: 3, .relaxed, failure: failure)
                                    .original
                            ]
                        },
                        { t, x, y in
                            t.store(y, 1, .sequentiallyConsistent)
                            return [
                                t.compareExchange(x, expected: 2, desired: 3, .relaxed, failure: failure)
                                    .original
                            ]
                        })
                }
                #expect(try outcomes(.acquiring).contains([0, 0]))
                #expect(try !outcomes(.sequentiallyConsistent).contains([0, 0]))
                let take: Body = { t, x, y in
                    [
                        t.compareExchange(x, expected: 0, desired: 1, .relaxed, failure: .relaxed).exchanged
                            ? 1 : 0
                    ]
                }
                #expect(try self.outcomes(take, take) == [[0, 1], [1, 0]])
            }

            // MARK: One location

            @Test(
                "coherence: reads of a location follow its modification order, and begin at what the thread knows"
            )
            func coherence() throws {
                let writer: Body = { t, x, _ in
                    t.store(x, 1, .relaxed)
                    t.store(x, 2, .relaxed)
                    return []
                }
                let twice = try outcomes(
                    writer, { t, x, _ in [t.load(x, .relaxed), t.load(x, .relaxed)] })
                #expect(twice == [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]])
                let own = try outcomes(
                    writer,
                    { t, x, _ in
                        let before = t.load(x, .relaxed)
                        t.store(x, 3, .relaxed)
                        return [before, t.load(x, .relaxed)]
                    })
                // Other stores come before or after the own one, but not before a value that was read
                // already.
                #expect(own == [[0, 3], [0, 1], [0, 2], [1, 3], [1, 2], [2, 3]])
            }

            @Test(
                "updates read what they follow: none is lost",
                arguments: [Ordering.relaxed, .acquiringAndReleasing])
            func updates(ordering: Ordering) throws {
                let add: Body = { t, x, _ in [t.fetchAdd(x, 1, ordering)] }
                #expect(try outcomes(add, add) == [[0, 1], [1, 0]])
                let take: Body = { t, x, _ in
                    [t.compareExchange(x, expected: 0, desired: 1, ordering).exchanged ? 1 : 0]
                }
                #expect(try outcomes(take, take) == [[0, 1], [1, 0]])
            }
        }
    }
#endif
