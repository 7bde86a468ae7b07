/// The values of the plain locations, and which accesses of them a later access must know.
struct PlainMemory {
    var values: [Int]
    private let threadCount: Int
    /// The last write of each location that was written, and each thread's last read since then.
    var accesses: UInt128 = 0
    /// Of the reads, those whose value may still be discarded; and those of them that met a race.
    var tentative: UInt128 = 0
    var spoiled: UInt128 = 0

    init(values: [Int], threadCount: Int) {
        precondition(values.count * (threadCount + 1) <= 128, "a view has bits for 128 plain accesses")
        self.values = values
        self.threadCount = threadCount
    }

    func bit(ofReadBy thread: Int, _ location: Int) -> UInt128 {
        1 << UInt128(location * (threadCount + 1) + thread)
    }
    func bit(ofWriteTo location: Int) -> UInt128 { bit(ofReadBy: threadCount, location) }
    func bits(of location: Int) -> UInt128 {
        (bit(ofWriteTo: location) << 1) - bit(ofReadBy: 0, location)
    }
}

extension WeakMemory {
    /// Nil if there is a data race.
    mutating func read(plain location: Int, by thread: Int) -> Int? {
        guard knows(plain.bit(ofWriteTo: location), thread) else { return nil }
        add(access: plain.bit(ofReadBy: thread, location), by: thread)
        return plain.values[location]
    }

    /// False if there is a data race.
    mutating func write(_ value: Int, toPlain location: Int, by thread: Int) -> Bool {
        let missed = plain.accesses & plain.bits(of: location) & ~threads[thread].current.known
        guard missed & ~plain.tentative == 0 else { return false }
        plain.spoiled |= missed
        remove(accesses: plain.bits(of: location))
        add(access: plain.bit(ofWriteTo: location), by: thread)
        plain.values[location] = value
        return true
    }

    /// Reads what may turn out to have been changed meanwhile, in which case the thread discards the value:
    /// an access that is atomic in the code for this reason only. A race counts if the value is used. In
    /// difference to a relaxed load this finds races with what is written later.
    mutating func peek(_ location: Int, by thread: Int) -> Int {
        let read = plain.bit(ofReadBy: thread, location)
        plain.tentative |= read
        if !knows(plain.bit(ofWriteTo: location), thread) { plain.spoiled |= read }
        add(access: read, by: thread)
        return plain.values[location]
    }

    /// Ends what ``peek(_:by:)`` began. False if there is a data race.
    mutating func settle(_ location: Int, isUsed: Bool, by thread: Int) -> Bool {
        let read = plain.bit(ofReadBy: thread, location)
        let isSpoiled = plain.spoiled & read != 0
        plain.tentative &= ~read
        plain.spoiled &= ~read
        if !isUsed { remove(accesses: read) }
        return !isUsed || !isSpoiled
    }

    private func knows(_ access: UInt128, _ thread: Int) -> Bool {
        plain.accesses & access & ~threads[thread].current.known == 0
    }

    /// A thread's read takes the place of its read before, and no other thread knows it yet.
    private mutating func add(access: UInt128, by thread: Int) {
        remove(accesses: access)
        plain.accesses |= access
        threads[thread].current.known |= access
        threads[thread].acquired.known |= access
    }

    private mutating func remove(accesses: UInt128) {
        guard plain.accesses & accesses != 0 else { return }
        plain.accesses &= ~accesses
        changeViews { $0.known &= ~accesses }
    }
}
