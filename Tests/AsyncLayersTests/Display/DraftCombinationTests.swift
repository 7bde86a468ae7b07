import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("Combinations of drafts with requests, moves and groups", .timeLimit(.minutes(15)))
struct DraftCombinationTests {
    private func draftBench() throws -> LayerBench {
        try LayerBench(budget: 10 * 20 * 4)
    }

    private func fallBehind(_ bench: LayerBench) -> [NamedLayer] {
        let parts = [NamedLayer("o1", on: bench), NamedLayer("o2", on: bench)]
        for part in parts { part.layer.display() }
        bench.main.advance(by: .milliseconds(20))
        return parts
    }

    @Test("a newer request during a draft is drawn in full, and once")
    func requestDuringDraft() throws {
        let bench = try draftBench()
        let part = NamedLayer("p", on: bench)
        part.layer.draft = 0.5
        let others = fallBehind(bench)
        part.whileDrawn = { part.layer.display() }
        part.layer.display()
        bench.settleTurns()
        #expect(part.contexts.elements.map(\.scale) == [0.5, 1])
        withExtendedLifetime(others) {}
    }

    @Test("a layer that is moved while its draft is drawn keeps that tier")
    func moveDuringDraft() throws {
        let bench = try draftBench()
        let part = NamedLayer("p", on: bench)
        part.layer.draft = 0.5
        let others = fallBehind(bench)
        part.whileDrawn = {
            part.layer.setNeedsDisplay()
            part.layer.qos = .userInteractive
        }
        part.layer.display()
        bench.settleTurns()
        #expect(bench.reports.all.last?.qos == .userInteractive)
        withExtendedLifetime(others) {}
    }

    @Test("no draft follows a picture in full that is being drawn")
    func draftAfterFull() throws {
        let bench = try draftBench()
        let part = NamedLayer("p", on: bench)
        part.layer.draft = 0.5
        var others: [NamedLayer] = []
        var shown: [Double] = []
        part.layer.onContentsChange = { shown.append($0.geometry.scale) }
        part.whileDrawn = {
            others = self.fallBehind(bench)
            part.layer.display()
        }
        part.layer.display()
        bench.settleTurns()
        #expect(!zip(shown, shown.dropFirst()).contains { $0 > $1 })
        withExtendedLifetime(others) {}
    }

    @Test("a group takes a layer whose draft is being drawn")
    func groupAfterDraft() throws {
        let bench = try draftBench()
        let part = NamedLayer("p", on: bench), mate = NamedLayer("m", on: bench)
        part.layer.draft = 0.5
        let others = fallBehind(bench)
        let group = DisplayGroup(timeLimit: .seconds(100), host: bench.host)
        group.add(part.layer)
        group.add(mate.layer)
        let results = Recorder<String>()
        part.whileDrawn = { group.display { results.append("\($0.together) \($0.late) \($0.cancelled)") } }
        part.layer.display()
        bench.settleTurns()
        #expect(part.contexts.elements.map(\.scale) == [0.5, 1])
        #expect(results.elements == ["2 0 0"])
        withExtendedLifetime(others) {}
    }

    @Test("a layer that is cancelled as its draft appears is not drawn in full")
    func cancelAsDraftAppears() throws {
        let bench = try draftBench()
        let part = NamedLayer("p", on: bench)
        part.layer.draft = 0.5
        let others = fallBehind(bench)
        part.layer.onContentsChange = { [unowned layer = part.layer] _ in layer.cancelDisplay() }
        part.layer.display()
        bench.settleTurns()
        #expect(part.contexts.elements.map(\.scale) == [0.5])
        withExtendedLifetime(others) {}
    }
}
