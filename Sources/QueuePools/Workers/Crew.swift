#if os(Linux)
    import CLinuxThreads
    import Dispatch
    import Locks
    import Synchronization

    /// Workers that stand in for each other: those of a tier of a pool, or a single one.
    ///
    /// It sees to it that each worker has somebody who receives for it: a thread of its own, or, while none
    /// can be made, a colleague. Attempts to make the thread go on meanwhile.
    final class Crew: Sendable {
        private struct State {
            /// Workers with threads.
            var present: [Worker] = []
            var adoptions = 0
            /// Workers with jobs that nobody receives, and whether attempts go on for them; if not, there was no
            /// maker, and the next to use them, or a colleague's thread, helps them.
            var waiting: [(worker: Worker, isTried: Bool)] = []
            /// Workers whose receiver is still open: a thread is being made for them, or was asked for.
            var promised: [Worker] = []
            /// Workers that would have left, but for those.
            var detained: [Worker] = []

            /// Lists a worker that waits; true if attempts must begin.
            mutating func wait(_ worker: Worker, isTried: Bool) -> Bool {
                guard !worker.isOpen else { return false }
                guard let index = waiting.firstIndex(where: { $0.worker === worker }) else {
                    waiting.append((worker, isTried))
                    return isTried
                }
                defer { waiting[index].isTried = waiting[index].isTried || isTried }
                return isTried && !waiting[index].isTried
            }

            mutating func promise(_ worker: Worker) {
                if !promised.contains(where: { $0 === worker }) { promised.append(worker) }
            }

            /// The attempt to make a worker's thread is over. Those that stayed for such a reason look again.
            mutating func settle(_ worker: Worker) {
                promised.removeAll { $0 === worker }
                for worker in detained { worker.post {} }
                detained = []
            }
        }

        private enum Request { case none, make, makeNow }

        private let state = Lock(State())
        /// Held by the maker at work. There may be two: one that was replaced goes on with what it was asked
        /// for.
        private let making = Lock(())
        private let startThread: @Sendable (Worker) -> Int32
        private let firstRetry: UInt64
        private static let lastRetry: UInt64 = 1_000_000_000

        /// - Parameters:
        ///   - firstRetry: nanoseconds until making a thread is tried again; then twice as long each time, up
        ///     to a second.
        ///   - startThread: returns 0 or an error number.
        init(
            firstRetry: UInt64 = 10_000_000,
            startThread: @escaping @Sendable (Worker) -> Int32 = { $0.startThread() }
        ) {
            self.firstRetry = firstRetry
            self.startThread = startThread
        }

        // MARK: Starting

        /// Sees to it that a worker's jobs will be received; false if that is not to be had.
        ///
        /// Waits for the thread to be made if the worker would be the first of its crew; that is about 0.1
        /// ms.
        func start(_ worker: Worker) -> Bool {
            guard !worker.isForked, !worker.isClosed else { return false }
            guard !worker.isOpen else { return true }
            guard let maker = ThreadMaker.current() else { return false }
            switch request(for: worker) {
            case .none: return true
            case .make:
                maker.post { self.makeThread(for: worker, retryAfter: self.firstRetry) }
                return true
            case .makeNow:
                let answered = DispatchSemaphore(value: 0)
                maker.post {
                    self.makeThread(for: worker, retryAfter: nil)
                    answered.signal()
                }
                answered.wait()
                return worker.isOpen
            }
        }

        /// Sees to it that a worker's jobs will be received, now or later; also those of a worker that is closed.
        func startPatiently(_ worker: Worker) {
            if start(worker) { return }
            let maker = ThreadMaker.current()
            let mustTry = state.withLock { $0.wait(worker, isTried: maker != nil) }
            if mustTry, let maker { retry(worker, after: firstRetry, by: maker) }
        }

        /// Waits until all threads that were asked for have been made, or refused.
        func waitForRequests() {
            guard let maker = ThreadMaker.current() else { return }
            let answered = DispatchSemaphore(value: 0)
            maker.post { answered.signal() }
            answered.wait()
        }

        private func request(for worker: Worker) -> Request {
            state.withLock { state in
                if worker.isOpen { return .none }
                if state.present.isEmpty { return .makeNow }
                worker.open()
                state.promise(worker)
                return .make
            }
        }

        // MARK: Making threads, on the maker's thread

        /// - Parameter delay: when to try again if this fails, in nanoseconds; nil gives up, unless somebody
        ///   waits.
        private func makeThread(for worker: Worker, retryAfter delay: UInt64?) {
            let waiting = making.withLock { _ in tryToMakeThread(for: worker, retryAfter: delay) }
            for worker in waiting { makeThread(for: worker, retryAfter: firstRetry) }
        }

        /// Returns those who may hope for a thread, too, now that the system has given one.
        private func tryToMakeThread(for worker: Worker, retryAfter delay: UInt64?) -> [Worker] {
            guard !worker.hasThread.load(ordering: .acquiring) else { return [] }
            // Until it is listed below, its thread must not leave.
            state.withLock { $0.promise(worker) }
            guard startThread(worker) == 0 else {
                worker.threadFailures.wrappingAdd(1, ordering: .relaxed)
                let isHosted = findHost(for: worker)
                state.withLock { $0.settle(worker) }
                if let delay = delay ?? (isHosted ? firstRetry : nil), let maker = ThreadMaker.current() {
                    retry(worker, after: delay, by: maker)
                }
                return []
            }
            worker.hasThread.store(true, ordering: .releasing)
            return state.withLock { state in
                state.present.append(worker)
                worker.open()
                let waiting = state.waiting.map(\.worker).filter { $0 !== worker }
                state.waiting = []
                for worker in waiting { state.promise(worker) }
                state.settle(worker)
                return waiting
            }
        }

        private func findHost(for worker: Worker) -> Bool {
            state.withLock { state in
                guard worker.host.load(ordering: .relaxed) == nil else { return true }
                guard !state.present.isEmpty else { return false }
                state.present[state.adoptions % state.present.count].adopt(worker)
                state.adoptions += 1
                worker.open()
                return true
            }
        }

        private func retry(_ worker: Worker, after delay: UInt64, by maker: Worker) {
            maker.post { [weak worker] in
                guard let worker else { return }
                maker.schedule(
                    .errand { [weak worker] in
                        guard let worker else { return }
                        self.makeThread(for: worker, retryAfter: min(2 * delay, Self.lastRetry))
                    }, at: clinux_monotonic_nanoseconds() + delay)
            }
        }

        // MARK: Leaving

        /// Lets a worker go that has nothing to do any more; false if a message came for it, or it must stay.
        ///
        /// Hosts are chosen, and told, under the same lock, so none is chosen that is gone. The last one
        /// stays while somebody may need a host, so whoever was promised a receiver gets one; and nobody goes
        /// before the maker has listed it. Those that must stay are sent a message when that may have
        /// changed.
        func dismiss(_ worker: Worker) -> Bool {
            state.withLock { state in
                guard !worker.mailbox.hasUnread else { return false }
                let isLast = state.present.count == 1 && state.present[0] === worker
                if isLast && !state.promised.isEmpty || state.promised.contains(where: { $0 === worker }) {
                    state.detained.append(worker)
                    return false
                }
                state.present.removeAll { $0 === worker }
                return true
            }
        }
    }
#endif
