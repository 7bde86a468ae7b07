#if os(Linux)
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// What the control groups of this process let it use. Every group from the process's own up to the
    /// outermost visible one counts, because each can set limits and the tightest holds. A missing or garbled
    /// file sets none.
    struct ControlGroupLimits: Equatable {
        /// The tightest CPU quota in CPUs, rounded up; nil for none.
        private(set) var processors: Int?

        /// The CPUs of the cpuset; nil for no restriction.
        private(set) var cpus: Set<Int>?

        /// The limits that were given.
        init(processors: Int? = nil, cpus: Set<Int>? = nil) {
            self.processors = processors
            self.cpus = cpus
        }

        /// Reads the limits of this process.
        ///
        /// - Parameter root: the folder that stands for `/`, for tests; the empty string is the real one.
        init(root: String) {
            let memberships = ControlGroupMembership.parse(
                TextFile.contents(of: root + "/proc/self/cgroup") ?? "")
            let mounts = ControlGroupMount.parse(TextFile.contents(of: root + "/proc/self/mountinfo") ?? "")
            for membership in memberships where membership.concernsCPUs {
                for folder in Self.folders(of: membership, in: mounts) {
                    restrict(by: root + folder, isUnified: membership.controllers.isEmpty)
                }
            }
        }

        /// The folders to look into for one membership.
        ///
        /// A hierarchy can be mounted several times with different roots; all the mounts that show the group
        /// are looked into. In some containers none does: the mount's root is given as seen from outside and
        /// the group's path as seen from inside, or the reverse. What is mounted is then taken to be the
        /// group itself.
        private static func folders(
            of membership: ControlGroupMembership, in mounts: [ControlGroupMount]
        ) -> [String] {
            // A group outside this process's namespace is given as "/../…", which leads to no folder of this
            // process.
            guard !membership.path.split(separator: "/").contains("..") else { return [] }
            let candidates = mounts.filter { $0.shows(membership) }
            let folders = candidates.compactMap { $0.folders(of: membership.path) }
            return folders.isEmpty ? candidates.map(\.mountPoint) : folders.flatMap { $0 }
        }

        private mutating func restrict(by folder: String, isUnified: Bool) {
            func file(_ name: String) -> String? { TextFile.contents(of: "\(folder)/\(name)") }

            let quota: Int?
            let list: String?
            if isUnified {
                quota = file("cpu.max").flatMap(ControlGroupQuota.processors(cpuMax:))
                list = file("cpuset.cpus.effective")
            } else {
                quota = file("cpu.cfs_quota_us").flatMap { quota in
                    file("cpu.cfs_period_us").flatMap {
                        ControlGroupQuota.processors(quota: quota, period: $0)
                    }
                }
                list = file("cpuset.effective_cpus") ?? file("cpuset.cpus")
            }
            if let quota { processors = min(processors ?? quota, quota) }
            if let allowed = list.flatMap(CPUList.parse) {
                cpus = cpus?.intersection(allowed) ?? Set(allowed)
            }
        }
    }

    /// Reads the kernel's text files.
    enum TextFile {
        /// Enough for the mount table of a large container host; keeps a hostile file from filling the
        /// memory.
        private static let maximumBytes = 4 << 20

        /// The file's text, cut after 4 MiB, with bytes that are not UTF-8 replaced, or nil if it cannot be
        /// read. Foundation is not used: a program that needs only a pool should not have to link it.
        static func contents(of path: String) -> String? {
            // Without O_NONBLOCK, opening a named pipe would wait for a writer.
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            var text: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 4096)
            while text.count < maximumBytes {
                let count = read(descriptor, &chunk, chunk.count)
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { return nil }
                guard count > 0 else { break }
                text += chunk[..<count]
            }
            return String(decoding: text, as: UTF8.self)
        }
    }
#endif
