/// Timers in the order of their times. It knows no clock: its owner says what time it is.
struct TimerList<Payload> {
    typealias Instant = ContinuousClock.Instant

    private struct Entry {
        let payload: Payload
        let number: UInt64
        var time: Instant
        /// Nil if the timer is called once.
        let interval: Duration?
    }

    /// The earliest one last, because those are removed most often; of equal times, the one added first.
    private var entries: [Entry] = []

    /// The time of the earliest timer.
    var nextTime: Instant? { entries.last?.time }

    var all: [Payload] { entries.map(\.payload) }

    /// - Parameters:
    ///   - number: names the timer in ``remove(number:)``.
    ///   - interval: of a timer that repeats; more than zero.
    mutating func add(_ payload: Payload, number: UInt64, time: Instant, interval: Duration?) {
        insert(Entry(payload: payload, number: number, time: time, interval: interval))
    }

    mutating func remove(number: UInt64) { entries.removeAll { $0.number == number } }

    /// Returns the timers whose time has come, the earliest first. Those that repeat remain, with the first
    /// of their times that is still to come: times that have passed are one call.
    mutating func takeDue(at now: Instant) -> [Payload] {
        var due: [Entry] = []
        while let entry = entries.last, entry.time <= now { due.append(entries.removeLast()) }
        for var entry in due {
            guard let interval = entry.interval else { continue }
            entry.time = Beat(origin: entry.time, interval: interval).time(after: now)
            insert(entry)
        }
        return due.map(\.payload)
    }

    private mutating func insert(_ entry: Entry) {
        let index = entries.lastIndex { $0.time > entry.time }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: index)
    }
}

/// Times at equal distances: an origin and multiples of an interval after it.
struct Beat {
    typealias Instant = ContinuousClock.Instant

    let origin: Instant
    let interval: Duration

    /// The last of the times that is not after `now`, which is not before the origin.
    func time(before now: Instant) -> Instant { time(number: number(at: now)) }

    /// The first of the times that is after `now`, which is not before the origin.
    func time(after now: Instant) -> Instant { time(number: number(at: now) + 1) }

    private func time(number: Int) -> Instant { origin.advanced(by: interval * number) }

    private func number(at now: Instant) -> Int {
        // The quotient is rounded, so it may be one off where a time of the beat is near.
        var number = Int(origin.duration(to: now) / interval)
        while time(number: number) > now { number -= 1 }
        while time(number: number + 1) <= now { number += 1 }
        return number
    }
}

/// The requests for the next frame.
struct FrameRequests<Payload> {
    typealias Instant = ContinuousClock.Instant

    let beat: Beat
    /// In the order in which they were made.
    private(set) var requests: [Payload] = []
    /// The first time at which the frame may be called. Nil if there is no request.
    private(set) var nextTime: Instant?

    init(beat: Beat) { self.beat = beat }

    /// The first request of a frame decides its time.
    mutating func add(_ payload: Payload, at now: Instant) {
        requests.append(payload)
        nextTime = nextTime ?? beat.time(after: now)
    }

    mutating func remove(where isRemoved: (Payload) -> Bool) {
        requests.removeAll(where: isRemoved)
        if requests.isEmpty { nextTime = nil }
    }

    /// Returns the requests if their frame's time has come, with the last of the beat's times.
    mutating func takeDue(at now: Instant) -> (time: Instant, requests: [Payload])? {
        guard let nextTime, nextTime <= now else { return nil }
        defer {
            self.nextTime = nil
            requests = []
        }
        return (beat.time(before: now), requests)
    }
}
