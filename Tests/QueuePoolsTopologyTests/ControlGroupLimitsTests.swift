#if os(Linux)
    import Foundation
    import Testing

    @testable import QueuePoolsTopology

    /// The mount table of a machine with version 2 only.
    private let unifiedMounts = """
        22 27 0:21 / /proc rw,relatime - proc proc rw
        35 24 0:30 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate

        """

    @Suite("Limits of version 2 control groups")
    struct UnifiedControlGroupLimitsTests {
        @Test("hold the quota and the CPUs of the process's own group")
        func ownGroup() throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": "0::/app.slice/feed.service\n",
                "proc/self/mountinfo": unifiedMounts,
                "sys/fs/cgroup/app.slice/feed.service/cpu.max": "300000 100000\n",
                "sys/fs/cgroup/app.slice/feed.service/cpuset.cpus.effective": "0-3,8-11\n",
                "sys/fs/cgroup/app.slice/cpu.max": "max 100000\n",
            ])
            let limits = ControlGroupLimits(root: root.path)
            #expect(limits.processors == 3)
            #expect(limits.cpus == [0, 1, 2, 3, 8, 9, 10, 11])
        }

        @Test(
            "take the tightest quota, whichever level it stands on", arguments: ["", "/a", "/a/b", "/a/b/c"])
        func tightestLevel(tightest: String) throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": "0::/a/b/c\n",
                "proc/self/mountinfo": unifiedMounts,
                "sys/fs/cgroup/cpu.max": "900000 100000",
                "sys/fs/cgroup/a/cpu.max": "800000 100000",
                "sys/fs/cgroup/a/b/cpu.max": "max 100000",
                "sys/fs/cgroup/a/b/c/cpu.max": "700000 100000",
            ])
            try root.write(Data("250000 100000".utf8), to: "sys/fs/cgroup\(tightest)/cpu.max")
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits(processors: 3))
        }

        @Test("ignore groups that are not on the way up")
        func siblings() throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": "0::/a\n",
                "proc/self/mountinfo": unifiedMounts,
                "sys/fs/cgroup/b/cpu.max": "100000 100000",
                "sys/fs/cgroup/a/child/cpu.max": "100000 100000",
                "cpu.max": "100000 100000",
                "sys/fs/cpu.max": "100000 100000",
            ])
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits())
        }

        @Test("take the cpuset from an ancestor where the group's own controller is off")
        func inheritedCPUSet() throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": "0::/a/b\n",
                "proc/self/mountinfo": unifiedMounts,
                "sys/fs/cgroup/cpuset.cpus.effective": "0-7\n",
                "sys/fs/cgroup/a/cpuset.cpus.effective": "2,5\n",
            ])
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits(cpus: [2, 5]))
        }

        @Test("follow a group whose path holds colons, blanks and backslashes")
        func oddPaths() throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": "0::/a:b/c d\n",
                "proc/self/mountinfo": #"35 24 0:30 / /sys/fs/c\040g\134x rw - cgroup2 cgroup2 rw"#,
                #"sys/fs/c g\x/a:b/c d/cpu.max"#: "200000 100000",
            ])
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits(processors: 2))
        }
    }

    @Suite("Limits of version 1 control groups")
    struct LegacyControlGroupLimitsTests {
        private let mounts = """
            30 25 0:26 / /sys/fs/cgroup ro,nosuid shared:8 - tmpfs tmpfs ro,mode=755
            33 30 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:14 - cgroup cgroup rw,cpu,cpuacct
            34 30 0:30 / /sys/fs/cgroup/cpuset rw,nosuid shared:15 - cgroup cgroup rw,cpuset
            35 30 0:31 / /sys/fs/cgroup/memory rw,nosuid shared:16 - cgroup cgroup rw,memory

            """
        private let membership =
            "9:memory:/other\n5:cpuset:/set\n4:cpu,cpuacct:/outer/inner\n1:name=systemd:/x\n"

        @Test("hold the tightest quota of the hierarchy of cpu and the CPUs of the hierarchy of cpuset")
        func quotaAndCPUSet() throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": membership,
                "proc/self/mountinfo": mounts,
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1\n",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
                "sys/fs/cgroup/cpu,cpuacct/outer/cpu.cfs_quota_us": "150000\n",
                "sys/fs/cgroup/cpu,cpuacct/outer/cpu.cfs_period_us": "50000\n",
                "sys/fs/cgroup/cpu,cpuacct/outer/inner/cpu.cfs_quota_us": "400000\n",
                "sys/fs/cgroup/cpu,cpuacct/outer/inner/cpu.cfs_period_us": "100000\n",
                "sys/fs/cgroup/cpuset/cpuset.cpus": "0-63\n",
                "sys/fs/cgroup/cpuset/set/cpuset.cpus": "1,3\n",
                "sys/fs/cgroup/memory/other/cpuset.cpus": "7\n",
            ])
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits(processors: 3, cpus: [1, 3]))
        }

        @Test("prefer the CPUs that are in effect to those that were asked for")
        func effectiveCPUs() throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": membership,
                "proc/self/mountinfo": mounts,
                "sys/fs/cgroup/cpuset/set/cpuset.cpus": "0-9\n",
                "sys/fs/cgroup/cpuset/set/cpuset.effective_cpus": "0-1\n",
            ])
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits(cpus: [0, 1]))
        }

        @Test(
            "set none where the quota is -1, zero, negative or garbled, or has no period",
            arguments: [
                ("-1", "100000"), ("0", "100000"), ("-5", "100000"), ("x", "100000"), ("100000", nil),
            ])
        func unlimited(quota: String, period: String?) throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": membership,
                "proc/self/mountinfo": mounts,
                "sys/fs/cgroup/cpu,cpuacct/outer/cpu.cfs_quota_us": quota,
            ])
            if let period {
                try root.write(Data(period.utf8), to: "sys/fs/cgroup/cpu,cpuacct/outer/cpu.cfs_period_us")
            }
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits())
        }
    }

    @Suite("Limits of control groups in mixed and container set-ups")
    struct MixedControlGroupLimitsTests {
        @Test("come from both versions where both are mounted, the tightest winning")
        func hybrid() throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": "3:cpu:/v1\n0::/v2\n",
                "proc/self/mountinfo": """
                32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu
                41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
                """,
                "sys/fs/cgroup/cpu/v1/cpu.cfs_quota_us": "500000",
                "sys/fs/cgroup/cpu/v1/cpu.cfs_period_us": "100000",
                "sys/fs/cgroup/unified/v2/cpu.max": "400000 100000",
                "sys/fs/cgroup/unified/v2/cpuset.cpus.effective": "0-6",
            ])
            let limits = ControlGroupLimits(root: root.path)
            #expect(limits == ControlGroupLimits(processors: 4, cpus: [0, 1, 2, 3, 4, 5, 6]))
        }

        @Test("are found where the mount shows only the container's part of the hierarchy")
        func containerSubpath() throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": "4:cpu,cpuacct:/docker/abc/worker\n",
                "proc/self/mountinfo":
                    "33 30 0:29 /docker/abc /sys/fs/cgroup/cpu ro master:14 - cgroup cgroup rw,cpu,cpuacct\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "600000",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
                "sys/fs/cgroup/cpu/worker/cpu.cfs_quota_us": "200000",
                "sys/fs/cgroup/cpu/worker/cpu.cfs_period_us": "100000",
            ])
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits(processors: 2))
        }

        @Test(
            "come from the mount point where path and mount root are given from different sides",
            arguments: [
                ("/docker/abc", "/"), ("/..", "/"), ("/docker/abc", "/docker/abcdef"),
                ("/inner", "/outer/inner"),
            ])
        func unrelatedRoot(mountRoot: String, path: String) throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": "0::\(path)\n",
                "proc/self/mountinfo": "35 24 0:30 \(mountRoot) /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
                "sys/fs/cgroup/cpu.max": "200000 100000",
                "sys/fs/cgroup\(path)/cpuset.cpus": "0",
            ])
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits(processors: 2))
        }

        @Test("come from the mount that shows the group, not from one that shows another")
        func severalMounts() throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": "0::/ours\n",
                "proc/self/mountinfo": """
                35 24 0:30 /theirs /mnt/theirs rw - cgroup2 cgroup2 rw
                36 24 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw
                """,
                "mnt/theirs/cpu.max": "100000 100000",
                "sys/fs/cgroup/ours/cpu.max": "500000 100000",
            ])
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits(processors: 5))
        }

        @Test("are not looked for outside the process's namespace")
        func outsideNamespace() throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": "0::/../other\n",
                "proc/self/mountinfo": "35 24 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
                "sys/fs/cgroup/cpu.max": "100000 100000",
                "sys/fs/other/cpu.max": "100000 100000",
            ])
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits())
        }
    }

    @Suite("Limits of control groups, from broken files", .timeLimit(.minutes(15)))
    struct BrokenControlGroupLimitsTests {
        @Test("are none where there are no files at all")
        func missingRoot() {
            #expect(ControlGroupLimits(root: "/nonexistent") == ControlGroupLimits())
        }

        @Test("are none where any of the three kinds of files is missing", arguments: 0..<3)
        func missingFile(missing: Int) throws {
            let files = [
                ("proc/self/cgroup", "0::/a\n"), ("proc/self/mountinfo", unifiedMounts),
                ("sys/fs/cgroup/a/cpu.max", "100000 100000"),
            ]
            let root = try FixtureRoot(Dictionary(uniqueKeysWithValues: files))
            #expect(ControlGroupLimits(root: root.path).processors == 1)
            try FileManager.default.removeItem(atPath: "\(root.path)/\(files[missing].0)")
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits())
        }

        @Test(
            "are none where the kernel's tables are garbled",
            arguments: [
                "", "\n\n", "::", "0:", "0::", "0::a", ":::::", "0", " ", "- - -", "\0\0\0",
                "35 24 0:30 / /sys/fs/cgroup rw -", "35 24 0:30 / /sys/fs/cgroup rw - cgroup2",
                "35 24 0:30 / /sys/fs/cgroup rw cgroup2 cgroup2 rw", "1 2 3 4 5 6 - cgroup2 x y", "\\",
                "a \\9 \\400",
            ])
        func garbledTables(text: String) throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": text, "proc/self/mountinfo": text,
                "sys/fs/cgroup/cpu.max": "100000 100000", "cpu.max": "100000 100000",
            ])
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits())
            try root.write(Data("0::/\n".utf8), to: "proc/self/cgroup")
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits())
        }

        @Test("still come from the good lines among garbled ones")
        func goodLinesSurvive() throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": "nonsense\n7:cpu\n::/\n0::/a\n",
                "proc/self/mountinfo": "nonsense\n- - - - - - - - -\n" + unifiedMounts + "1 2",
                "sys/fs/cgroup/a/cpu.max": "300000 100000", "sys/fs/cgroup/a/cpuset.cpus.effective": "zero",
                "sys/fs/cgroup/cpu.max": "lots", "sys/fs/cgroup/cpuset.cpus.effective": "0-1",
            ])
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits(processors: 3, cpus: [0, 1]))
        }

        @Test("are none where the files hold bytes that are no text, or megabytes of noise")
        func binaryAndHuge() throws {
            let root = try FixtureRoot(["proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": unifiedMounts])
            try root.write(Data([0xFF, 0xFE, 0x00, 0xC3]), to: "sys/fs/cgroup/a/cpu.max")
            try root.write(Data(repeating: UInt8(ascii: "9"), count: 6 << 20), to: "sys/fs/cgroup/cpu.max")
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits())
        }

        @Test("are none where folders or named pipes stand in the place of files")
        func notFiles() throws {
            let root = try FixtureRoot([
                "proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": unifiedMounts,
                "sys/fs/cgroup/cpu.max/file": "",
            ])
            try root.write(Data(), to: "sys/fs/cgroup/a/file")
            try #require(mkfifo(root.path + "/sys/fs/cgroup/a/cpu.max", 0o600) == 0)
            #expect(ControlGroupLimits(root: root.path) == ControlGroupLimits())
        }
    }
#endif
