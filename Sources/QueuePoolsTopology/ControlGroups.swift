/// One line of `/proc/self/cgroup`: the group that the process is in, in one hierarchy.
struct ControlGroupMembership: Equatable {
    /// The controllers of a version 1 hierarchy; empty for the one hierarchy of version 2.
    let controllers: [Substring]

    /// The group's path inside its hierarchy, or inside the control-group namespace.
    let path: Substring

    /// Whether limits on CPUs can stand in this hierarchy.
    var concernsCPUs: Bool {
        controllers.isEmpty || controllers.contains("cpu") || controllers.contains("cpuset")
    }

    /// The memberships that the text names; invalid lines are left out.
    ///
    /// A line is `4:cpu,cpuacct:/path` for version 1 and `0::/path` for version 2. The path may hold colons.
    static func parse(_ text: String) -> [ControlGroupMembership] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[2].hasPrefix("/") else { return nil }
            guard !fields[1].isEmpty || fields[0] == "0" else { return nil }
            return ControlGroupMembership(controllers: fields[1].split(separator: ","), path: fields[2])
        }
    }
}

/// One control-group file system of `/proc/self/mountinfo`.
struct ControlGroupMount: Equatable {
    /// Whether this is version 2's one hierarchy.
    let isUnified: Bool

    /// The controllers of a version 1 hierarchy, among other options of the file system.
    let options: [Substring]

    /// The group that the mount shows at its mount point: `/`, or a deeper one where a container was given
    /// only its own part of the hierarchy.
    let root: String

    /// Where it is mounted.
    let mountPoint: String

    /// The control-group mounts that the text names; other file systems and garbled lines are left out.
    ///
    /// A line is `id parent major:minor root mountPoint options tag… - type source superOptions`, where the
    /// number of tags varies.
    static func parse(_ text: String) -> [ControlGroupMount] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: false)
            guard fields.count > 6, let dash = fields[6...].firstIndex(of: "-"), fields.count > dash + 3
            else { return nil }
            let type = fields[dash + 1]
            guard type == "cgroup" || type == "cgroup2" else { return nil }
            return ControlGroupMount(
                isUnified: type == "cgroup2", options: fields[dash + 3].split(separator: ","),
                root: unescaped(fields[3]), mountPoint: unescaped(fields[4]))
        }
    }

    /// Whether this mount shows the hierarchy of that membership.
    func shows(_ membership: ControlGroupMembership) -> Bool {
        if membership.controllers.isEmpty { return isUnified }
        return !isUnified && membership.controllers.contains(where: options.contains)
    }

    /// The folders of a group and of its ancestors up to the mount point, innermost first, or nil if the
    /// group is not under this mount's root.
    func folders(of path: Substring) -> [String]? {
        let rootParts = root.split(separator: "/")
        let pathParts = path.split(separator: "/")
        guard pathParts.starts(with: rootParts) else { return nil }
        var parts = pathParts.dropFirst(rootParts.count)
        var folders = [([mountPoint] + parts.map(String.init)).joined(separator: "/")]
        while parts.popLast() != nil {
            folders.append(([mountPoint] + parts.map(String.init)).joined(separator: "/"))
        }
        return folders
    }

    /// Undoes the kernel's escapes: blank, tab, line end and backslash are printed as `\` and three octal
    /// digits.
    private static func unescaped(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(3), as: UTF8.self)
            if byte == UInt8(ascii: "\\"), digits.utf8.count == 3, let escaped = UInt8(digits, radix: 8) {
                bytes.append(escaped)
                rest.removeFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The CPU time that a control group grants in each period, as a number of CPUs. Fractions round up: of a
/// quota of 1.5 CPUs one thread can use only 1, while two can use it all, and being throttled sometimes near
/// the end of a period costs less than never using some of the time.
enum ControlGroupQuota {
    /// From version 2's `cpu.max`: quota and period in microseconds, or `max` in place of the quota. Returns
    /// nil for no limit, or an invalid text.
    static func processors(cpuMax text: String) -> Int? {
        let fields = text.trimmingBlanks().split(separator: " ", omittingEmptySubsequences: false)
        guard fields.count == 2 else { return nil }
        return processors(quota: String(fields[0]), period: String(fields[1]))
    }

    /// From version 1's `cpu.cfs_quota_us` (−1 for none) and `cpu.cfs_period_us`.
    static func processors(quota: String, period: String) -> Int? {
        guard let quota = Int(quota.trimmingBlanks()), let period = Int(period.trimmingBlanks()),
            quota > 0, period > 0
        else { return nil }
        return quota / period + (quota % period > 0 ? 1 : 0)
    }
}
