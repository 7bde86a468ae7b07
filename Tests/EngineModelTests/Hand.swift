#if os(Linux)
    import MemoryModel

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

    /// The threads of litmus tests access memory by this: the ordering is a value here.
    struct Hand {
        func load(
            _ location: AtomicLocation, _ ordering: Ordering, line: Int = #line, column: Int = #column
        ) -> Int {
            Int(
                Access.load(
                    location.address, 8, ordering, file: #fileID, function: #function, line: line,
                    column: column))
        }

        func store(
            _ location: AtomicLocation, _ value: Int, _ ordering: Ordering, line: Int = #line,
            column: Int = #column
        ) {
            Access.store(
                UInt64(value), location.address, 8, ordering, file: #fileID, function: #function, line: line,
                column: column)
        }

        func exchange(
            _ location: AtomicLocation, _ value: Int, _ ordering: Ordering, line: Int = #line,
            column: Int = #column
        ) -> Int { update(location, ordering, nil, line, column) { _ in value } }

        func fetchAdd(
            _ location: AtomicLocation, _ value: Int, _ ordering: Ordering, line: Int = #line,
            column: Int = #column
        ) -> Int { update(location, ordering, nil, line, column) { $0 + value } }

        func compareExchange(
            _ location: AtomicLocation, expected: Int, desired: Int, _ ordering: Ordering,
            failure: Ordering? = nil, line: Int = #line, column: Int = #column
        ) -> (exchanged: Bool, original: Int) {
            let original = update(location, ordering, failure ?? ordering.ofFailure, line, column) {
                $0 == expected ? desired : nil
            }
            return (original == expected, original)
        }

        func fence(_ ordering: Ordering, line: Int = #line, column: Int = #column) {
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
