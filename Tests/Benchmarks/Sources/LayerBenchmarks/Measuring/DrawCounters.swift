import BenchmarkHarness
import Synchronization

/// Records draws: what each was of, what it took, and whether it was ever seen.
final class DrawCounters: Sendable {
    private struct Entry {
        let subject: Int
        /// Processor time of the thread that drew.
        var time: UInt64 = 0
        var isShown = false
    }

    private let entries = Mutex<[Entry]>([])

    /// A draw of this subject: its number is the entry's.
    ///
    /// - Parameter end: ends the draw as well.
    func makeDraw(of subject: Int, milliseconds: Double, until end: EndOfStorm? = nil) -> Draw {
        let number = entries.withLock { entries in
            entries.append(Entry(subject: subject))
            return entries.count - 1
        }
        return Draw(number: number) { [self] share, isCancelled in
            let start = Clock.threadTime
            Work.compute(milliseconds: milliseconds * share) { isCancelled() || end?.hasCome == true }
            let time = Clock.threadTime - start
            entries.withLock { $0[number].time = time }
        }
    }

    /// What a picture is of.
    func subject(of picture: Picture) -> Int { entries.withLock { $0[picture.number].subject } }

    /// Notes that a layer shows a picture; tells whether it is one of this subject.
    func show(_ picture: Picture?, as subject: Int) -> Bool {
        guard let picture else { return false }
        return entries.withLock { entries in
            guard entries[picture.number].subject == subject else { return false }
            entries[picture.number].isShown = true
            return true
        }
    }

    /// How much of the time that draws took went into pictures that were never seen, in percent.
    var unshownPercentage: Double {
        entries.withLock { entries in
            let all = entries.reduce(0) { $0 + $1.time }
            let unshown = entries.reduce(0) { $0 + ($1.isShown ? 0 : $1.time) }
            return all > 0 ? 100 * Double(unshown) / Double(all) : 0
        }
    }
}
