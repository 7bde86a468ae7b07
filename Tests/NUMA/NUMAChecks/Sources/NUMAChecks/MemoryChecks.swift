/// That the kernel and the checks' own instruments agree, without which no other check of memory would mean
/// anything.
func memoryChecks(_ machine: Machine) -> [Check] {
    [
        Check("memory has no node until it is touched") { findings in
            let pages = try Pages()
            findings.expect("its node", try Memory.node(of: pages.address), is: nil)
        },

        Check("memory lies on the node of the CPU that touched it first, or on the nearest that may be used")
        {
            findings in
            for node in machine.runnableNodes {
                let expected = machine.nearest(to: node.id, among: machine.memoryNodes)
                for cpu in node.cpus {
                    let pages = try Pages()
                    try CurrentThread.on(cpu: cpu) { pages.touch() }
                    let found = try Memory.node(of: pages.address)
                    findings.expect(
                        found.map(expected.contains) ?? false,
                        "what CPU \(cpu) touched is on node \(describe(found)), not one of \(expected.sorted())"
                    )
                }
            }
        },

        Check("memory bound to a node lies there, whichever CPU touches it first") { findings in
            for node in machine.memoryNodes {
                for cpu in machine.cpus {
                    let pages = try Pages()
                    try pages.bind(to: node)
                    try CurrentThread.on(cpu: cpu) { pages.touch() }
                    findings.expect("its node", try Memory.node(of: pages.address), is: node)
                    let policy = try Memory.policy(of: pages.address)
                    findings.expect("its policy", policy, is: Memory.Policy(nodes: [node], isStrict: true))
                }
            }
        },
    ]
}

func describe(_ number: Int?) -> String { number.map(String.init) ?? "none" }
