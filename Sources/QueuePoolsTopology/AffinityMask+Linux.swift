#if os(Linux)
    internal import CQueuePoolsThreads

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// The CPUs that a thread may run on.
    package enum AffinityMask {
        /// Fills a mask of so many bytes; returns 0 or an error number.
        typealias SystemCall = (_ bytes: Int, _ mask: UnsafeMutablePointer<UInt>?) -> CInt

        /// The online CPUs in the calling thread's mask, ascending; never empty. (The kernel leaves offline
        /// CPUs out by itself.)
        ///
        /// The call refuses a mask that is smaller than the kernel's own, which can have more CPUs than the
        /// 1,024 of `cpu_set_t`, so the mask grows until it fits.
        static func read(through systemCall: SystemCall = { cqp_thread_get_affinity(0, $0, $1) }) -> [Int] {
            var mask = [UInt](repeating: 0, count: 1024 / UInt.bitWidth)
            while mask.count * UInt.bitWidth <= CPUTopology.maximumCPUCount {
                let error = systemCall(mask.count * MemoryLayout<UInt>.size, &mask)
                if error == 0 {
                    let cpus = cpus(in: mask)
                    return cpus.isEmpty ? onlineCPUs() : cpus
                }
                guard error == EINVAL else { break }
                mask = [UInt](repeating: 0, count: mask.count * 2)
            }
            return onlineCPUs()
        }

        /// Confines the calling thread to those of its CPUs that are among these, if there are any. Returns
        /// false if the kernel refuses.
        package static func confineCurrentThread(to cpus: [Int]) -> Bool {
            let present = read()
            let wanted = present.filter(Set(cpus).contains)
            return wanted.isEmpty || wanted == present || bindCurrentThread(to: wanted)
        }

        /// Gives the calling thread the CPUs of the process's first thread, if it lacks some of them. Returns
        /// false if the kernel refuses.
        ///
        /// Not if it has all of them and more: a first thread that has confined itself does not speak for
        /// others, and what confines the process from outside confines all threads.
        package static func addCPUsOfFirstThread() -> Bool {
            let first = read { cqp_thread_get_affinity(cqp_first_thread(), $0, $1) }
            return Set(first).isSubset(of: read()) || bindCurrentThread(to: first)
        }

        private static func bindCurrentThread(to cpus: [Int]) -> Bool {
            var mask = [UInt](repeating: 0, count: (cpus.max() ?? 0) / UInt.bitWidth + 1)
            for cpu in cpus { mask[cpu / UInt.bitWidth] |= 1 << UInt(cpu % UInt.bitWidth) }
            return cqp_thread_set_affinity(mask.count * MemoryLayout<UInt>.size, mask) == 0
        }

        /// The numbers of the bits that are set, ascending.
        static func cpus(in mask: [UInt]) -> [Int] {
            mask.indices.flatMap { index in
                let bits = (0..<UInt.bitWidth).filter { mask[index] & (1 << UInt($0)) != 0 }
                return bits.map { index * UInt.bitWidth + $0 }
            }
        }

        /// For sandboxes that forbid reading the mask: only the number is known, so the CPUs are numbered
        /// from 0.
        private static func onlineCPUs() -> [Int] { Array(0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
    }
#endif
