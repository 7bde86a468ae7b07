#if os(Linux)
    import MemoryModel
    import Testing

    /// The tests for which accesses must be sequentially consistent.
    extension ModelTests.LitmusTests {
        @Test("2+2W: only sequentially consistent stores come in one order of all locations")
        func stores() throws {
            func ends(_ ordering: Ordering) throws -> Set<[Int]> {
                try outcomes([
                    { t, x, y in
                        t.store(x, 1, ordering)
                        t.store(y, 2, ordering)
                        return []
                    },
                    { t, x, y in
                        t.store(y, 1, ordering)
                        t.store(x, 2, ordering)
                        return []
                    },
                ]) { _, x, y in [x.newest, y.newest] }
            }
            #expect(try ends(.releasing) == [[1, 2], [2, 1], [2, 2], [1, 1]])
            #expect(try ends(.sequentiallyConsistent) == [[1, 2], [2, 1], [2, 2]])
        }

        /// Each thread writes one location and reads the other.
        private func missesBoth(
            _ write: @escaping (Hand, AtomicLocation) -> Void, fence: Ordering? = nil, load: Ordering
        ) throws -> Bool {
            func look(_ t: Hand, _ own: AtomicLocation, _ other: AtomicLocation) -> [Int] {
                write(t, own)
                if let fence { t.fence(fence) }
                return [t.load(other, load)]
            }
            return try outcomes(look, { t, x, y in look(t, y, x) }).contains([0, 0])
        }

        @Test(
            "store buffering: one thread sees the other's store only with sequentially consistent accesses"
        )
        func storeBuffering() throws {
            #expect(try missesBoth({ $0.store($1, 1, .releasing) }, load: .acquiring))
            #expect(try missesBoth({ $0.store($1, 1, .sequentiallyConsistent) }, load: .acquiring))
            #expect(
                try !missesBoth(
                    { $0.store($1, 1, .sequentiallyConsistent) }, load: .sequentiallyConsistent))
        }

        @Test("store buffering: sequentially consistent fences serve relaxed accesses")
        func storeBufferingWithFences() throws {
            let store = { (t: Hand, x: AtomicLocation) in t.store(x, 1, .relaxed) }
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
                #expect(try missesBoth({ _ = $0.exchange($1, 1, exchange) }, load: load) == isMissed)
            }
        }

        @Test("store buffering: accesses on one side and a fence on the other suffice")
        func storeBufferingWithOneFence() throws {
            func missesBoth(load: Ordering) throws -> Bool {
                try outcomes(
                    { t, x, y in
                        t.store(x, 1, .sequentiallyConsistent)
                        return [t.load(y, load)]
                    },
                    { t, x, y in
                        t.store(y, 1, .relaxed)
                        t.fence(.sequentiallyConsistent)
                        return [t.load(x, .relaxed)]
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
                        t.store(x, 1, store)
                        return [
                            t.load(x, .sequentiallyConsistent), t.load(y, .sequentiallyConsistent),
                        ]
                    },
                    { t, x, y in
                        t.store(y, 1, .sequentiallyConsistent)
                        return [t.load(x, .sequentiallyConsistent)]
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
                        t.store(x, 1, store)
                        return []
                    },
                    { t, _, y in
                        t.store(y, 1, store)
                        return []
                    },
                    { t, x, y in [t.load(x, load), t.load(y, load)] },
                    { t, x, y in [t.load(y, load), t.load(x, load)] }
                ).contains([1, 0, 1, 0])
            }
            #expect(try disagrees(.releasing, .acquiring))
            #expect(try !disagrees(.sequentiallyConsistent, .sequentiallyConsistent))
        }
    }
#endif
