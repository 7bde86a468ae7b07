import QueuePools
import Synchronization

/// Where pictures without a holder wait to be emptied: by one job of the tier background, or by a draw.
///
/// A busy machine leaves the tier background no time, while draws make pictures and replace others. So a
/// draw that begins empties all that waits here, if that exceeds ``limit``: who makes pictures pays for their
/// release, and a draw is where that delays nothing but the draw. The bound follows: when a draw begins on
/// a thread of the pool, no more than the limit waits, or nothing does, beside those that a thread empties.
///
/// A draw on the main thread releases only beyond twice the limit, where no thread of the pool draws, and no
/// more bytes than it makes.
///
/// **Ordering.** Batches are a list to which threads add, and of which they take all. A thread that takes
/// the list has all of its pictures alone: the exchange acquires what the additions have released. Nothing
/// is locked, because the system may suspend a thread of the tier background for seconds, and the main
/// thread must not wait for it.
struct PictureReleases: Sendable {
    /// 16 MiB.
    static let limit = 16 << 20

    let pool: any JobSubmitting
    /// By itself: the job must not retain the pool, which has it.
    private let waiting = WaitingPictures()

    init(pool: any JobSubmitting) { self.pool = pool }

    /// The bytes of the pictures that wait or are being emptied.
    var byteCount: Int { waiting.byteCount.load(ordering: .relaxed) }

    /// Leaves pictures. Those without a holder then wait.
    func leave(_ pictures: [Picture]) { empty(pictures.filter { $0.leave() }) }

    /// Lets pictures without a holder wait.
    func empty(_ pictures: [Picture]) {
        guard !pictures.isEmpty, waiting.add(pictures) else { return }
        let job = ReleaseJob(waiting)
        pool.enqueueRelease { job.run() }
    }

    /// A draw begins. Its thread empties all pictures beyond the limit, or, on the main thread, the oldest.
    ///
    /// - Parameter bytes: of the picture that it makes.
    func drawBegins(bytes: Int, isOnMainThread: Bool) {
        guard byteCount > (isOnMainThread ? 2 * Self.limit : Self.limit) else { return }
        var pictures = waiting.takeAll()
        if isOnMainThread {
            var (count, sum) = (0, 0)
            while count < pictures.count, sum < bytes {
                sum += pictures[count].releaseBytes
                count += 1
            }
            let others = Array(pictures[count...])
            pictures.removeSubrange(count...)
            waiting.uncount(others)
            empty(others)
        }
        waiting.empty(pictures)
    }
}

/// The pictures that wait, and the job that is to empty them.
private final class WaitingPictures: Sendable {
    /// Pictures that came together. `older` is written before the batch is in the list, and read once it is
    /// taken.
    private final class Batch: @unchecked Sendable {
        let pictures: [Picture]
        var older: Unmanaged<Batch>?

        init(_ pictures: [Picture]) { self.pictures = pictures }
    }

    /// Relaxed: a draw that reads an older value leaves pictures to the next one.
    let byteCount = Atomic<Int>(0)
    private let newest = Atomic<Unmanaged<Batch>?>(nil)
    /// True from when a job is submitted until it begins.
    private let hasJob = Atomic<Bool>(false)

    deinit { _ = takeAll() }

    /// Returns whether a job must be submitted. A job lowers the flag before it takes the list. So it finds
    /// the pictures of each thread that has found the flag raised.
    func add(_ pictures: [Picture]) -> Bool {
        byteCount.wrappingAdd(pictures.releaseBytes, ordering: .relaxed)
        let batch = Batch(pictures)
        let owned = Unmanaged.passRetained(batch)
        batch.older = newest.load(ordering: .relaxed)
        while true {
            let (isAdded, present) = newest.weakCompareExchange(
                expected: batch.older, desired: owned, successOrdering: .releasing, failureOrdering: .relaxed)
            if isAdded { break }
            batch.older = present
        }
        return !hasJob.exchange(true, ordering: .acquiringAndReleasing)
    }

    func runJob() {
        _ = hasJob.exchange(false, ordering: .acquiringAndReleasing)
        empty(takeAll())
    }

    /// Takes all pictures, the one that has waited longest first. They still count.
    func takeAll() -> [Picture] {
        var batches: [Batch] = []
        var next = newest.exchange(nil, ordering: .acquiring)
        while let batch = next?.takeRetainedValue() {
            batches.append(batch)
            next = batch.older
        }
        return batches.reversed().flatMap(\.pictures)
    }

    /// Empties pictures that were taken.
    func empty(_ pictures: [Picture]) {
        for picture in pictures {
            picture.empty()
            byteCount.wrappingSubtract(picture.releaseBytes, ordering: .relaxed)
        }
    }

    /// Counts pictures no longer that were taken, and are added again.
    func uncount(_ pictures: [Picture]) {
        byteCount.wrappingSubtract(pictures.releaseBytes, ordering: .relaxed)
    }
}

/// Empties the pictures that wait: in the pool's job, or when a pool releases that without having run it.
// `hasRun` is the job's alone, and `deinit` comes after it.
private final class ReleaseJob: @unchecked Sendable {
    private let waiting: WaitingPictures
    private var hasRun = false

    init(_ waiting: WaitingPictures) { self.waiting = waiting }

    deinit { if !hasRun { waiting.runJob() } }

    func run() {
        hasRun = true
        waiting.runJob()
    }
}

extension Picture {
    /// The bytes that it counts as. At least 64 KiB, since those of a placeholder are not known; so the limit
    /// is one of 256 pictures as well.
    fileprivate var releaseBytes: Int { max(byteCount, 64 << 10) }
}

extension [Picture] {
    fileprivate var releaseBytes: Int { reduce(0) { $0 + $1.releaseBytes } }
}
