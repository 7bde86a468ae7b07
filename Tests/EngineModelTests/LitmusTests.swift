#if os(Linux)
    import MemoryModel
    import Testing

    /// The tests by which memory models are told apart, under their usual names.
    extension ModelTests {
        @Suite("The model of weak memory")
        struct LitmusTests {
            typealias Body = (_ t: Hand, _ x: AtomicLocation, _ y: AtomicLocation) throws -> [Int]

            /// What threads over two locations, both 0 at first, can find.
            private func outcomes(_ bodies: Body...) throws -> Set<[Int]> {
                try outcomes(bodies) { results, _, _ in results }
            }

            private func outcomes(
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
                                do { results.values[index] = try body(Hand(), x, y) } catch {}
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
                            try t.store(x, 1, .relaxed)
                            try t.store(y, 1, store)
                            return []
                        }, { t, x, y in try [t.load(y, load), t.load(x, .relaxed)] })
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
                            try t.store(x, 1, .relaxed)
                            try t.fence(release)
                            try t.store(y, 1, .relaxed)
                            return []
                        },
                        { t, x, y in
                            let flag = try t.load(y, .relaxed)
                            try t.fence(acquire)
                            return try [flag, t.load(x, .relaxed)]
                        }
                    ).contains([1, 0])
                }
                #expect(try !isStale(.releasing, .acquiring))
                #expect(try !isStale(.sequentiallyConsistent, .sequentiallyConsistent))
                #expect(try isStale(.acquiring, .acquiring))
                #expect(try isStale(.releasing, .releasing))
            }

            @Test("what was acquired is released further")
            func causality() throws {
                let outcomes = try outcomes(
                    { t, x, _ in
                        try t.store(x, 1, .releasing)
                        return []
                    },
                    { t, x, y in
                        let seen = try t.load(x, .acquiring)
                        try t.store(y, 1, .releasing)
                        return [seen]
                    }, { t, x, y in try [t.load(y, .acquiring), t.load(x, .relaxed)] })
                #expect(outcomes.contains([1, 1, 1]) && !outcomes.contains([1, 1, 0]))
            }

            @Test("an update continues a release sequence, a store does not")
            func releaseSequence() throws {
                func isStale(_ middle: @escaping Body) throws -> Bool {
                    try outcomes(
                        { t, x, y in
                            try t.store(x, 1, .relaxed)
                            try t.store(y, 1, .releasing)
                            return []
                        },
                        middle, { t, x, y in try [t.load(y, .acquiring), t.load(x, .relaxed)] }
                    ).contains([2, 0])
                }
                #expect(
                    try !isStale { t, _, y in
                        _ = try t.compareExchange(y, expected: 1, desired: 2, .relaxed)
                        return []
                    })
                #expect(
                    try isStale { t, _, y in
                        if try t.load(y, .relaxed) == 1 { try t.store(y, 2, .relaxed) }
                        return []
                    })
            }

            @Test("message passing: a failed compare-and-exchange is a load with the failure's ordering")
            func messagePassingWithFailure() throws {
                func isStale(_ success: Ordering, failure: Ordering?) throws -> Bool {
                    try outcomes(
                        { t, x, y in
                            try t.store(x, 1, .relaxed)
                            try t.store(y, 1, .releasing)
                            return []
                        },
                        { t, x, y in
                            let exchange = try t.compareExchange(
                                y, expected: 2, desired: 3, success, failure: failure)
                            return try [exchange.original, t.load(x, .relaxed)]
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
                        try t.store(x, 1, .relaxed)
                        _ = try t.compareExchange(y, expected: 1, desired: 2, .acquiringAndReleasing)
                        return []
                    }, { t, x, y in try [t.exchange(y, 3, .acquiring), t.load(x, .relaxed)] })
                #expect(outcomes == [[0, 0], [0, 1]])
            }

            @Test("a failed compare-and-exchange may return an old value, a successful one has the newest")
            func failureIsOld() throws {
                func outcomes(_ failure: Ordering) throws -> Set<[Int]> {
                    try self.outcomes(
                        { t, x, y in
                            try t.store(x, 1, .sequentiallyConsistent)
                            return try [
                                t.compareExchange(y, expected: 2, desired: 3, .relaxed, failure: failure)
                                    .original
                            ]
                        },
                        { t, x, y in
                            try t.store(y, 1, .sequentiallyConsistent)
                            return try [
                                t.compareExchange(x, expected: 2, desired: 3, .relaxed, failure: failure)
                                    .original
                            ]
                        })
                }
                #expect(try outcomes(.acquiring).contains([0, 0]))
                #expect(try !outcomes(.sequentiallyConsistent).contains([0, 0]))
                let take: Body = { t, x, y in
                    try [
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
                    try t.store(x, 1, .relaxed)
                    try t.store(x, 2, .relaxed)
                    return []
                }
                let twice = try outcomes(
                    writer, { t, x, _ in try [t.load(x, .relaxed), t.load(x, .relaxed)] })
                #expect(twice == [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]])
                let own = try outcomes(
                    writer,
                    { t, x, _ in
                        let before = try t.load(x, .relaxed)
                        try t.store(x, 3, .relaxed)
                        return try [before, t.load(x, .relaxed)]
                    })
                // Other stores come before or after the own one, but not before what was read already.
                #expect(own == [[0, 3], [0, 1], [0, 2], [1, 3], [1, 2], [2, 3]])
            }

            @Test(
                "updates read what they follow: none is lost",
                arguments: [Ordering.relaxed, .acquiringAndReleasing])
            func updates(ordering: Ordering) throws {
                let add: Body = { t, x, _ in try [t.fetchAdd(x, 1, ordering)] }
                #expect(try outcomes(add, add) == [[0, 1], [1, 0]])
                let take: Body = { t, x, _ in
                    try [t.compareExchange(x, expected: 0, desired: 1, ordering).exchanged ? 1 : 0]
                }
                #expect(try outcomes(take, take) == [[0, 1], [1, 0]])
            }

            @Test("2+2W: only sequentially consistent stores come in one order of all locations")
            func stores() throws {
                func ends(_ ordering: Ordering) throws -> Set<[Int]> {
                    try outcomes([
                        { t, x, y in
                            try t.store(x, 1, ordering)
                            try t.store(y, 2, ordering)
                            return []
                        },
                        { t, x, y in
                            try t.store(y, 1, ordering)
                            try t.store(x, 2, ordering)
                            return []
                        },
                    ]) { _, x, y in [x.newest, y.newest] }
                }
                #expect(try ends(.releasing) == [[1, 2], [2, 1], [2, 2], [1, 1]])
                #expect(try ends(.sequentiallyConsistent) == [[1, 2], [2, 1], [2, 2]])
            }

            // MARK: Sequential consistency

            /// Each thread writes one location and reads the other.
            private func missesBoth(
                _ write: @escaping (Hand, AtomicLocation) throws -> Void, fence: Ordering? = nil,
                load: Ordering
            ) throws -> Bool {
                func look(_ t: Hand, _ own: AtomicLocation, _ other: AtomicLocation) throws -> [Int] {
                    try write(t, own)
                    if let fence { try t.fence(fence) }
                    return try [t.load(other, load)]
                }
                return try outcomes(look, { t, x, y in try look(t, y, x) }).contains([0, 0])
            }

            @Test(
                "store buffering: one thread sees the other's store only with sequentially consistent accesses"
            )
            func storeBuffering() throws {
                #expect(try missesBoth({ try $0.store($1, 1, .releasing) }, load: .acquiring))
                #expect(try missesBoth({ try $0.store($1, 1, .sequentiallyConsistent) }, load: .acquiring))
                #expect(
                    try !missesBoth(
                        { try $0.store($1, 1, .sequentiallyConsistent) }, load: .sequentiallyConsistent))
            }

            @Test("store buffering: sequentially consistent fences serve relaxed accesses")
            func storeBufferingWithFences() throws {
                let store = { (t: Hand, x: AtomicLocation) in try t.store(x, 1, .relaxed) }
                #expect(try !missesBoth(store, fence: .sequentiallyConsistent, load: .relaxed))
                #expect(try missesBoth(store, fence: .acquiringAndReleasing, load: .relaxed))
            }

            @Test("store buffering: exchanges must be sequentially consistent, and so must the loads")
            func storeBufferingWithUpdates() throws {
                for (exchange, load, isMissed) in [
                    (Ordering.acquiringAndReleasing, Ordering.acquiring, true),
                    (.acquiringAndReleasing, .sequentiallyConsistent, true),
                    (.sequentiallyConsistent, .acquiring, true),
                    (.sequentiallyConsistent, .sequentiallyConsistent, false),
                ] {
                    #expect(try missesBoth({ _ = try $0.exchange($1, 1, exchange) }, load: load) == isMissed)
                }
            }

            @Test("store buffering: accesses on one side and a fence on the other suffice")
            func storeBufferingWithOneFence() throws {
                func missesBoth(load: Ordering) throws -> Bool {
                    try outcomes(
                        { t, x, y in
                            try t.store(x, 1, .sequentiallyConsistent)
                            return try [t.load(y, load)]
                        },
                        { t, x, y in
                            try t.store(y, 1, .relaxed)
                            try t.fence(.sequentiallyConsistent)
                            return try [t.load(x, .relaxed)]
                        }
                    ).contains([0, 0])
                }
                #expect(try !missesBoth(load: .sequentiallyConsistent))
                #expect(try missesBoth(load: .acquiring))
            }

            @Test(
                "store buffering: that a thread has read its own store does not replace that store's ordering"
            )
            func storeBufferingWithForwarding() throws {
                func missesBoth(store: Ordering) throws -> Bool {
                    try outcomes(
                        { t, x, y in
                            try t.store(x, 1, store)
                            return try [
                                t.load(x, .sequentiallyConsistent), t.load(y, .sequentiallyConsistent),
                            ]
                        },
                        { t, x, y in
                            try t.store(y, 1, .sequentiallyConsistent)
                            return try [t.load(x, .sequentiallyConsistent)]
                        }
                    ).contains([1, 0, 0])
                }
                #expect(try !missesBoth(store: .sequentiallyConsistent))
                #expect(try missesBoth(store: .releasing))
            }

            @Test(
                "IRIW: two readers agree on the order of two stores only with sequentially consistent accesses"
            )
            func independentReads() throws {
                func disagrees(_ store: Ordering, _ load: Ordering) throws -> Bool {
                    try outcomes(
                        { t, x, _ in
                            try t.store(x, 1, store)
                            return []
                        },
                        { t, _, y in
                            try t.store(y, 1, store)
                            return []
                        },
                        { t, x, y in try [t.load(x, load), t.load(y, load)] },
                        { t, x, y in try [t.load(y, load), t.load(x, load)] }
                    ).contains([1, 0, 1, 0])
                }
                #expect(try disagrees(.releasing, .acquiring))
                #expect(try !disagrees(.sequentiallyConsistent, .sequentiallyConsistent))
            }
        }
    }

    /// An atomic of a litmus test.
    struct AtomicLocation {
        let address: UInt

        init(at place: UnsafeMutableRawPointer) { address = UInt(bitPattern: place) }

        /// The value that is last in modification order.
        var newest: Int {
            Int(
                Access.load(
                    address, 8, .relaxed, file: #fileID, function: #function, line: #line, column: #column))
        }
    }

    /// What the threads of litmus tests access memory by: the ordering is a value there.
    struct Hand {
        func load(
            _ location: AtomicLocation, _ ordering: Ordering, line: Int = #line, column: Int = #column
        ) throws -> Int {
            Int(
                Access.load(
                    location.address, 8, ordering, file: #fileID, function: #function, line: line,
                    column: column))
        }

        func store(
            _ location: AtomicLocation, _ value: Int, _ ordering: Ordering, line: Int = #line,
            column: Int = #column
        ) throws {
            Access.store(
                UInt64(value), location.address, 8, ordering, file: #fileID, function: #function, line: line,
                column: column)
        }

        func exchange(
            _ location: AtomicLocation, _ value: Int, _ ordering: Ordering, line: Int = #line,
            column: Int = #column
        ) throws -> Int { update(location, ordering, nil, line, column) { _ in value } }

        func fetchAdd(
            _ location: AtomicLocation, _ value: Int, _ ordering: Ordering, line: Int = #line,
            column: Int = #column
        ) throws -> Int { update(location, ordering, nil, line, column) { $0 + value } }

        func compareExchange(
            _ location: AtomicLocation, expected: Int, desired: Int, _ ordering: Ordering,
            failure: Ordering? = nil, line: Int = #line, column: Int = #column
        ) throws -> (exchanged: Bool, original: Int) {
            let original = update(location, ordering, failure ?? ordering.ofFailure, line, column) {
                $0 == expected ? desired : nil
            }
            return (original == expected, original)
        }

        func fence(_ ordering: Ordering, line: Int = #line, column: Int = #column) throws {
            Explorer.running?.fence(ordering, file: #fileID, function: #function, line: line, column: column)
        }

        private func update(
            _ location: AtomicLocation, _ ordering: Ordering, _ failure: Ordering?, _ line: Int,
            _ column: Int,
            _ change: (Int) -> Int?
        ) -> Int {
            Int(
                Access.update(
                    location.address, 8, ordering, failure: failure ?? .relaxed, file: #fileID,
                    function: #function, line: line, column: column
                ) { change(Int($0)).map { UInt64($0) } })
        }
    }
#endif
