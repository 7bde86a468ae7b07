#if os(Linux)
    internal import CLinuxThreads

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// The CPUs that the calling thread may run on.
    package enum AffinityMask {
        /// Fills a mask of so many bytes; returns 0 or an error number.
        typealias SystemCall = (_ bytes: Int, _ mask: UnsafeMutablePointer<UInt>?) -> CInt

        /// The online CPUs in the mask, ascending; never empty. (The kernel leaves offline CPUs out by
        /// itself.)
        ///
        /// The call refuses a mask that is smaller than the kernel's own, which can have more CPUs than the
        /// 1,024 of `cpu_set_t`, so the mask grows until it fits.
        static func read(through systemCall: SystemCall = clinux_thread_get_affinity) -> [Int] {
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

        /// Binds the calling thread to these CPUs. False if the system refuses: where none of them exists,
        /// for one.
        @discardableResult
        package static func bindCurrentThread(to cpus: [Int]) -> Bool {
            let usable = cpus.filter { (0..<CPUTopology.maximumCPUCount).contains($0) }
            guard let last = usable.max() else { return false }
            var mask = [UInt](repeating: 0, count: last / UInt.bitWidth + 1)
            for cpu in usable { mask[cpu / UInt.bitWidth] |= 1 << UInt(cpu % UInt.bitWidth) }
            return clinux_thread_set_affinity(mask.count * MemoryLayout<UInt>.size, mask) == 0
        }

        /// The numbers of the bits that are set, ascending.
        static func cpus(in mask: [UInt]) -> [Int] {
            mask.indices.flatMap { index in
                let bits = (0..<UInt.bitWidth).filter { mask[index] & (1 << UInt($0)) != 0 }
                return bits.map { index * UInt.bitWidth + $0 }
            }
        }

        /// For sandboxes that forbid reading the mask: only the number is known, so the CPUs are taken to be
        /// numbered from 0.
        private static func onlineCPUs() -> [Int] {
            Array(0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        }
    }
#endif
