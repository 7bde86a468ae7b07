import BenchmarkHarness
import CMeasuring

/// Counts the empty jobs of one run, the same way for every contender.
///
/// **What a job pays.** One atomic addition on cache lines that belong to the thread it runs on, some 4 ns. A
/// single counter for all would have the workers pass a cache line back and forth, and the benchmark would
/// measure that. "Only the last job of a queue counts" would be cheaper, but means nothing where jobs of one
/// queue run side by side.
///
/// **What a job captures.** This pointer and its own number, so each closure needs memory of its own. A
/// counted reference would do the same and have all submitters and workers write its reference count besides;
/// what jobs of real programs capture is rarely one and the same object.
///
/// **What it proves.** The numbers are added up as well: the sum is right only if each job ran once with what
/// it had captured.
struct Tally: @unchecked Sendable {  // the stripes are only touched by atomic operations
    let stripes: UnsafeMutablePointer<UInt64>

    private static let words = measuring_stripe_count * measuring_stripe_words
    private static let alignment = measuring_stripe_words * MemoryLayout<UInt64>.stride

    /// Takes memory, which the owner gives back with ``deallocate()``.
    init() {
        stripes = UnsafeMutableRawPointer.allocate(
            byteCount: Self.words * MemoryLayout<UInt64>.stride, alignment: Self.alignment
        ).bindMemory(to: UInt64.self, capacity: Self.words)
        stripes.initialize(repeating: 0, count: Self.words)
    }

    func deallocate() {
        stripes.deallocate()
    }

    /// Counts the job with this number. Called by the job.
    @inline(__always)
    func count(_ number: Int) {
        measuring_count(stripes, UInt64(truncatingIfNeeded: number))
    }

    /// Starts over. No job may be running.
    func reset() {
        stripes.update(repeating: 0, count: Self.words)
    }

    /// How many jobs have run.
    var finished: Int { Int(total >> 40) }

    /// The sum of the numbers that they captured, each cut to 16 bits.
    var checksum: UInt64 { total & (1 << 40 - 1) }

    private var total: UInt64 {
        var total: UInt64 = 0
        for stripe in 0..<measuring_stripe_count {
            total &+= measuring_load(stripes + stripe * measuring_stripe_words)
        }
        return total
    }

    /// Waits until the jobs with the numbers from 0 up to `count` have run, and returns when that was seen.
    ///
    /// It looks twenty times a millisecond and sleeps in between: the waiting thread takes no time from the
    /// workers, and no job has to find out whether it is the last.
    func wait(for count: Int) throws -> UInt64 {
        let deadline = Clock.now + 60_000_000_000
        while finished < count {
            Clock.sleep(microseconds: 50)
            if Clock.now > deadline {
                throw MeasuringError("\(count - finished) of \(count) jobs did not run")
            }
        }
        let end = Clock.now
        let expected = (0..<count).reduce(UInt64(0)) { $0 + UInt64($1 & 0xFFFF) }
        guard finished == count, checksum == expected else {
            throw MeasuringError("\(finished) jobs ran instead of \(count), or with what others had captured")
        }
        return end
    }
}
