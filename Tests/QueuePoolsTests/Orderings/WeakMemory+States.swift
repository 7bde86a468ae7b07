// What keeps the number of states small.
extension WeakMemory {
    /// The thread makes no further access.
    mutating func finish(_ thread: Int) {
        threads[thread] = Thread()
        isLive[thread] = false
    }

    /// Forgets what makes no difference: messages that no thread can read and plain accesses that all know.
    mutating func normalize() {
        let live = threads.indices.filter { isLive[$0] }
        guard let first = live.first else { return }
        var floor = threads[first].current
        for thread in live {
            let view = threads[thread].current
            floor.stamps.replace(with: view.stamps, where: view.stamps .< floor.stamps)
            floor.known &= view.known
        }
        if floor.known != 0 {
            plain.accesses &= ~floor.known
            changeViews { $0.known &= ~floor.known }
        }
        guard floor.stamps != SIMD32() else { return }
        for location in (0..<starts.count - 1).reversed() where floor.stamps[location] > 0 {
            let dropped = Int(floor.stamps[location])
            let first = starts[location]
            let met = metBefore(location, dropped, isWrite: false)
            messages.removeSubrange(first..<first + dropped)
            messages[first].written = met
            messages[first].updates = 0
            for later in location + 1..<starts.count { starts[later] -= dropped }
        }
        changeStamps { $0.lower(by: floor.stamps) }
    }

    func hash(into hasher: inout Hasher) {
        messages.withUnsafeBytes { hasher.combine(bytes: $0) }
        starts.withUnsafeBytes { hasher.combine(bytes: $0) }
        threads.withUnsafeBytes { hasher.combine(bytes: $0) }
        withUnsafeBytes(of: kernel) { hasher.combine(bytes: $0) }
        plain.values.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(plain.accesses)
        hasher.combine(plain.tentative)
        hasher.combine(plain.spoiled)
    }
}

extension SIMD32<UInt8> {
    mutating func join(_ other: Self) { replace(with: other, where: other .> self) }

    mutating func lower(by floor: Self) {
        join(floor)
        self &-= floor
    }
}
