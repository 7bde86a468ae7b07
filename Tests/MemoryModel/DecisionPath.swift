#if os(Linux)
    /// The decisions by which an execution differs from others: which thread continues, and how memory
    /// answers. They are a path in a tree: the next execution repeats them up to the last one that can be
    /// taken in another way.
    final class DecisionPath {
        private struct Decision {
            /// How many ways there are: to answer a load, for example; or 0, if a thread is chosen.
            var count = 0
            var taken: Int
            /// Which threads can run, which are to be tried, have been tried, or need not be.
            var enabled: ThreadSet = []
            var wanted: ThreadSet = []
            var tried: ThreadSet = []
            var resting: ThreadSet = []
        }

        private var decisions: [Decision] = []
        private var position = 0
        /// Whether the execution continues only to end: its steps were explored already, in another order.
        private(set) var isEnding = false
        /// The decision by which the present step is made, or -1.
        private(set) var step = -1
        private var preemptionsLeft = Int.max
        /// The threads whose next accesses were tried before those that were made since, to the same effect.
        private var resting: ThreadSet = []
        /// The last number that was drawn, if executions are drawn at random.
        private var random: UInt64?

        /// - Parameter isDrawn: whether each execution is drawn, by the same numbers each time, and not tried
        ///   in turn.
        func begin(isDrawn: Bool) { random = isDrawn ? 0x2545_F491_4F6C_DD1D : nil }

        func clear() { decisions.removeAll(keepingCapacity: true) }

        /// - Parameter preemptions: see ``ModelProgram/preemptions``.
        func beginExecution(preemptions: Int?) {
            (position, step, isEnding, resting) = (0, -1, false, [])
            preemptionsLeft = preemptions ?? .max
        }

        /// Prepares the next execution. Returns false if all have been tried.
        func backtrack() -> Bool {
            if random != nil {
                clear()
                return true
            }
            while var last = decisions.popLast() {
                if last.count > 0 {
                    guard last.taken + 1 < last.count else { continue }
                    last.taken += 1
                } else {
                    last.tried.insert(ThreadSet(last.taken))
                    let left = last.wanted.subtracting(last.tried).subtracting(last.resting)
                    guard !left.isEmpty else { continue }
                    last.taken = left.first
                }
                decisions.append(last)
                return true
            }
            return false
        }

        /// A random number, with a probability of one in `odds`; otherwise nil, and always nil in a search in
        /// turn.
        private func draw(_ odds: UInt64) -> Int? {
            guard var drawn = random else { return nil }
            drawn ^= drawn << 13
            drawn ^= drawn >> 7
            drawn ^= drawn << 17
            random = drawn
            return drawn >> 8 & 255 < 256 / odds ? Int(drawn >> 32) : nil
        }

        /// One of so many ways.
        func decide(_ count: Int) -> Int {
            if count <= 1 { return 0 }
            if position < decisions.count {
                precondition(decisions[position].count == count, "an execution is not like the one before")
                position += 1
                return decisions[position - 1].taken
            }
            if isEnding { return 0 }
            let taken = draw(3).map { $0 % count } ?? 0
            decisions.append(Decision(count: count, taken: taken))
            position += 1
            return taken
        }

        /// One of the threads that can run.
        ///
        /// - Parameters:
        ///   - index: the thread that ran last, or -1.
        ///   - canContinue: whether that one could continue.
        ///   - pending: the next step of a thread.
        func decide(
            _ able: ThreadSet, after index: Int, canContinue: Bool, pending: (Int) -> Step
        ) -> Int {
            let enabled = canContinue && preemptionsLeft == 0 ? ThreadSet(index) : able
            let choice: Int
            if position < decisions.count {
                precondition(
                    decisions[position].enabled == enabled, "an execution is not like the one before")
                choice = decisions[position].taken
            } else {
                choice = choose(enabled, after: index)
            }
            if canContinue, choice != index, preemptionsLeft != .max { preemptionsLeft -= 1 }
            guard !isEnding else {
                step = -1
                return choice
            }
            step = position
            position += 1
            let others = decisions[step].resting.union(decisions[step].tried).subtracting(ThreadSet(choice))
            let chosen = pending(choice)
            resting = []
            for other in others.numbers where !pending(other).isChanged(by: chosen) {
                resting.insert(ThreadSet(other))
            }
            return choice
        }

        private func choose(_ enabled: ThreadSet, after index: Int) -> Int {
            let left = isEnding ? enabled : enabled.subtracting(resting)
            if left.isEmpty { isEnding = true }
            let choices = left.isEmpty ? enabled : left
            let choice: Int
            if let drawn = draw(choices.contains(ThreadSet(max(index, 0))) ? 8 : 1) {
                let numbers = choices.numbers
                choice = numbers[drawn % numbers.count]
            } else {
                choice = index >= 0 && choices.contains(ThreadSet(index)) ? index : choices.first
            }
            if !isEnding {
                decisions.append(
                    Decision(taken: choice, enabled: enabled, wanted: ThreadSet(choice), resting: resting))
            }
            return choice
        }

        /// Has a thread tried where another was chosen before; if it could not run there, all that could.
        func want(_ thread: Int, at step: Int) {
            let enabled = decisions[step].enabled
            decisions[step].wanted.formUnion(
                enabled.contains(ThreadSet(thread)) ? ThreadSet(thread) : enabled)
        }
    }

    /// Threads of an execution, by their numbers.
    struct ThreadSet: OptionSet {
        let rawValue: UInt8

        init(rawValue: UInt8) { self.rawValue = rawValue }
        init(_ thread: Int) { rawValue = 1 << UInt8(thread) }

        var first: Int { rawValue.trailingZeroBitCount }
        var numbers: [Int] { (0..<8).filter { contains(ThreadSet($0)) } }
    }
#endif
