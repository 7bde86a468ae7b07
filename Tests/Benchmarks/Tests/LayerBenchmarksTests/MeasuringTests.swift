import BenchmarkHarness
import CMeasuring
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import LayerBenchmarks

@Suite(.serialized) struct MeasuringTests {
    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    @Test func workTakesAboutTheTimeThatWasAskedFor() {
        // The best of some, because another machine's work on the same core counts as the thread's.
        let times = (0..<10).map { _ in
            let start = Clock.threadTime
            Work.compute(milliseconds: 20) { false }
            return Double(Clock.threadTime - start) / 1e6
        }
        #expect((10...60).contains(times.min()!), "\(times) ms")
    }

    @Test func cancelledWorkStopsAtItsNextLook() {
        var looks = 0
        Work.compute(milliseconds: 100_000) {
            looks += 1
            return looks == 3
        }
        #expect(looks == 3)
    }

    @Test func theHeapGrowsByWhatIsTakenAndShrinksByWhatIsGivenBack() async {
        // In a process of its own: other tests take and give back as much meanwhile.
        await #expect(processExitsWith: .success) {
            // A mapping of its own, and many small pieces.
            for (count, size) in [(1, 64 << 20), (40_000, 1_600)] {
                let before = measuring_heap_bytes()
                let memory = (0..<count).map { _ in
                    UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
                }
                let grown = Int64(measuring_heap_bytes()) - Int64(before)
                for piece in memory { piece.deallocate() }
                let left = Int64(measuring_heap_bytes()) - Int64(before)
                let taken = Int64(count * size)
                precondition(grown > taken * 9 / 10 && grown < taken * 3 / 2, "grown by \(grown)")
                precondition(left < taken / 4, "left \(left)")
            }
        }
    }

    #if os(Linux)
        @Test func aThreadThatComputesIsSeenNotToSleep() {
            let isOver = Flag()
            let (began, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                began.signal()
                while !isOver.value.load(ordering: .relaxed) {}
                ended.signal()
            }
            began.wait()
            let seen = !ThreadStates.othersSleep
            isOver.value.store(true, ordering: .relaxed)
            ended.wait()
            #expect(seen)
        }
    #endif

    @Test func aPictureTakesTheMemoryThatItIsSaidTo() {
        let before = measuring_heap_bytes()
        // More than tests beside this one release meanwhile.
        let picture = Picture(number: 3, byteCount: 256 << 20)
        let grown = Int64(measuring_heap_bytes()) - Int64(before)
        #expect(picture.number == 3)
        #expect(grown > 192 << 20)
    }
}
