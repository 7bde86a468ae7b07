import AsyncLayers
import QueuePoolsSimulations
import Testing

@MainActor
@Suite("A program's own views in a simulation")
struct SimulationTests {
    @Test("the same view that draws on the pool in a program draws here when the test says so")
    func label() {
        let simulation = Simulation()
        let label = Label("hello", host: simulation.host)
        label.text = "there"
        simulation.flush()  // lays out …
        simulation.flush()  // … and begins a pass
        #expect(label.lines == nil)
        simulation.runNext()
        simulation.runMainQueue()
        #expect(label.lines == ["there     "])
    }

    @Test("in any order, a draw that another thread makes stale is followed by a newer one")
    func staleDraw() {
        for seed: UInt64 in 1...20 {
            let simulation = Simulation(order: .seeded(seed))
            let label = Label("hello", host: simulation.host)
            label.draw = { canvas, scope in
                simulation.spend(.milliseconds(30))
                canvas.write(scope.isCancelled ? "stale" : "fresh")
            }
            simulation.schedule(after: .milliseconds(8)) { [layer = label.layer] in layer.setNeedsDisplay() }
            label.layer.display()
            simulation.advance(by: .milliseconds(100))
            #expect(label.lines == ["fresh     "], "\(simulation.transcript)")
        }
    }
}
