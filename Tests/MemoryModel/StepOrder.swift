#if os(Linux)
    /// A thread's step between two decisions: an access of something that has a key.
    struct Step {
        var key: UInt = 0
        var reads = false
        var writes = false

        /// Whether another step, if it is made before, changes what this one finds.
        func isChanged(by other: Step) -> Bool { key == other.key && reads && other.writes }
    }

    /// Which steps of an execution have led to which, directly or not. So it finds which of them could have
    /// been made in another order.
    final class StepOrder {
        /// By thread, how many of each thread's steps have led to what it does.
        typealias Clock = SIMD8<Int32>

        /// A read, which a later write may reach if it is made before.
        private struct Read {
            let thread: Int
            let decision: Int
            /// Which of the thread's steps it is.
            let number: Int32
        }

        private var clocks: [Clock] = []
        /// By key, the last read of each thread.
        private var lastReads: [UInt: [Read]] = [:]
        /// By location and place in its modification order.
        private var writeClocks: [[Clock]] = []

        func clear() {
            clocks.removeAll(keepingCapacity: true)
            lastReads.removeAll(keepingCapacity: true)
            for location in writeClocks.indices { writeClocks[location].removeAll(keepingCapacity: true) }
        }

        func addThread(madeBy maker: Int?) {
            clocks.append(maker.map { clocks[$0] } ?? Clock())
        }

        /// Notes a step of a thread. Returns the decisions for reads of other threads that it could have
        /// preceded.
        ///
        /// A read that is made after a write may return older messages, as if it had been made before. So
        /// only the order of a read and a later write matters, unless the one has led to the other.
        func note(_ step: Step, of index: Int, decision: Int) -> [Int] {
            clocks[index][index] += 1
            let number = clocks[index][index]
            var reversed: [Int] = []
            if step.writes {
                for read in lastReads[step.key] ?? []
                where read.thread != index && read.number > clocks[index][read.thread] && read.decision >= 0 {
                    reversed.append(read.decision)
                }
            }
            if step.reads {
                let read = Read(thread: index, decision: decision, number: number)
                Self.note(read, in: &lastReads[step.key, default: []])
            }
            return reversed
        }

        private static func note(_ read: Read, in reads: inout [Read]) {
            if let place = reads.firstIndex(where: { $0.thread == read.thread }) {
                reads[place] = read
            } else {
                reads.append(read)
            }
        }

        // MARK: Which steps lead to which

        /// The steps of one thread come before the next ones of another.
        func join(_ thread: Int, into other: Int) { join(clocks[thread], into: other) }

        func join(_ clock: Clock, into thread: Int) {
            clocks[thread] = pointwiseMax(clocks[thread], clock)
        }

        func clock(of thread: Int) -> Clock { clocks[thread] }

        /// Notes a location's first message, to which nothing has led.
        func begin(_ location: Int) {
            while writeClocks.count <= location { writeClocks.append([]) }
            writeClocks[location].append(Clock())
        }

        /// Notes that a thread writes a message.
        func write(_ location: Int, _ stamp: Int32, by thread: Int) {
            writeClocks[location].insert(clocks[thread], at: Int(stamp))
        }

        /// Notes that a thread reads a message.
        func read(_ location: Int, _ stamp: Int32, by thread: Int) {
            join(writeClocks[location][Int(stamp)], into: thread)
        }
    }
#endif
