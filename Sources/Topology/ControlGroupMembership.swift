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

    /// The memberships that the text names; lines that make no sense are left out.
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
