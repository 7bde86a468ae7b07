import Foundation
import Testing
import QueuePoolsTopology

@Suite("The topology of this machine", .timeLimit(.minutes(15)))
struct CurrentTopologyTests {
    @Test("has at least one node, CPUs on it, and an active count that they can carry")
    func plausible() {
        let topology = CPUTopology.current()
        let cpus = topology.nodes.flatMap(\.cpus)
        #expect(!cpus.isEmpty)
        #expect(Set(cpus).count == cpus.count)
        #expect((1...cpus.count).contains(topology.activeProcessorCount))
        #expect(topology.nodes.map(\.memoryBytes).reduce(0, +) > 0)
        #expect(topology.nodes.allSatisfy { $0.distances[$0.id] == 10 })
    }

    @Test("has the same nodes and CPUs however many threads read it at once")
    func concurrentReads() async {
        // Not the memory, which a virtual machine's balloon changes at any time.
        func summary(_ topology: CPUTopology) -> [CPUTopology.Node] {
            topology.nodes.map { CPUTopology.Node(id: $0.id, cpus: $0.cpus, distances: $0.distances) }
        }
        let summaries = await withTaskGroup(of: [CPUTopology.Node].self) { group in
            for _ in 0..<32 {
                group.addTask { summary(.current()) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let present = summary(.current())
        #expect(summaries.allSatisfy { $0 == present })
    }

    #if os(Linux)
        @Test("reports which CPU the thread runs on")
        func currentCPU() throws {
            let cpu = try #require(CPUTopology.currentCPU())
            #expect(CPUTopology.current().node(ofCPU: cpu) != nil)
        }

        @Test(
            "has one CPU in a process that is confined to one, whichever way",
            arguments: Probe.waysToConfine)
        func confinedProcess(way: String) throws {
            let cpu = try #require(CPUTopology.current().nodes.flatMap(\.cpus).last)
            let probe = try Probe.path()
            let command = way == "taskset" ? ["taskset", "-c", "\(cpu)", probe] : [probe, way, "\(cpu)"]
            let lines = try Probe.run(command)
            #expect(lines.contains("activeProcessorCount 1"))
            #expect(lines.contains("currentCPU \(cpu)"))
            #expect(lines.filter { $0.hasPrefix("node ") && !$0.contains("cpus [] ") }.count == 1)
            #expect(lines.contains { $0.contains("cpus [\(cpu)] ") })
        }

        @Test("is the same in another process that is not confined")
        func freeProcess() throws {
            let lines = try Probe.run([Probe.path()])
            #expect(lines.contains("activeProcessorCount \(CPUTopology.current().activeProcessorCount)"))
        }
    #else
        @Test("does not report which CPU the thread runs on")
        func currentCPU() {
            #expect(CPUTopology.currentCPU() == nil)
        }
    #endif
}
