#if os(Linux)
    import CLinuxThreads
    import Synchronization

    /// The worker on whose thread all other workers' threads are made.
    ///
    /// A thread inherits the nice value, the policy and the CPUs of the one that makes it, and without
    /// privileges it cannot get better than that. Were workers made by those who submit, then a background
    /// job that is the first to use the tier userInteractive would spoil that tier for good. So they are made
    /// by a thread that was made when the first pool was: by the main thread, usually.
    ///
    /// The maker is made anew in a forked process, where its thread is gone; and when a thread of better nice
    /// value comes along than the maker has, as long as that is worse than the process's own.
    enum ThreadMaker {
        private final class Appointment: Sendable {
            let worker: Worker
            let nice: Int32
            let forkCount = currentForkCount()
            /// Held, since somebody may have just read its address.
            private let predecessor: Appointment?

            init(nice: Int32, after predecessor: Appointment?) {
                self.nice = nice
                self.predecessor = predecessor
                // The nice value of the process, if it may be had, and no slice or policy that was inherited.
                worker = Worker(
                    label: "thread maker", settings: WorkerSettings(scheduling: ThreadScheduling()),
                    crew: Crew())
            }
        }

        private static let appointment = Atomic<Unmanaged<Appointment>?>(nil)

        /// The maker; nil if not even its own thread can be made.
        static func current() -> Worker? {
            while true {
                let present = appointment.load(ordering: .acquiring)
                if let maker = present?.takeUnretainedValue(), serves(maker) { return maker.worker }
                let maker = Appointment(nice: niceOfCurrentThread(), after: present?.takeUnretainedValue())
                guard maker.worker.startThread() == 0 else { return present.flatMap(serviceable) }
                maker.worker.open()
                let owned = Unmanaged.passRetained(maker)
                if appointment.compareExchange(
                    expected: present, desired: owned, ordering: .acquiringAndReleasing
                ).exchanged {
                    return maker.worker
                }
                maker.worker.retire()
                owned.release()
            }
        }

        private static func serves(_ maker: Appointment) -> Bool {
            guard maker.forkCount == currentForkCount() else { return false }
            return maker.nice <= clinux_process_nice() || maker.nice <= niceOfCurrentThread()
        }

        private static func serviceable(_ maker: Unmanaged<Appointment>) -> Worker? {
            let maker = maker.takeUnretainedValue()
            return maker.forkCount == currentForkCount() ? maker.worker : nil
        }

        private static func niceOfCurrentThread() -> Int32 {
            var scheduling = clinux_scheduling()
            return clinux_thread_get_scheduling(&scheduling) == 0 ? scheduling.nice : 0
        }
    }
#endif
