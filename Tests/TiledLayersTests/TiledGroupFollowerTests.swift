import ManualPools
import QueuePools
import QueuePoolsSimulations
import TestSupport
import Testing

@testable import AsyncLayers
@testable import TiledLayers

@Suite("Tiled layers in several displays of groups")
@MainActor
struct TiledGroupFollowerTests {
    let editor: GroupedEditor

    init() throws { editor = try GroupedEditor() }

    @Test("two groups with one tiled layer appear together, if nothing was drawn yet")
    func twoGroups() {
        let other = editor.makeGroup(editor.panel)
        editor.edit([0, 1])
        editor.display()
        editor.panel.setNeedsDisplay()
        editor.display(other)
        editor.drawText(2)
        editor.drawLayers()
        #expect(editor.look == "0000|0" && editor.shown(editor.panel) == 0)
        editor.drawLayers()
        #expect(editor.look == "1100|1" && editor.shown(editor.panel) == 1)
        #expect(editor.results.elements == Array(repeating: DisplayGroupResult(together: 2), count: 2))
    }

    @Test("a display that follows takes damage when it begins, and draws what comes into view meanwhile")
    func follows() throws {
        editor.edit([0])
        editor.display()
        editor.drawText()
        editor.edit([1])
        editor.display()
        editor.simulation.run()
        #expect(editor.pool.statistics[.userInteractive].waiting == 0)
        try editor.show(x: 1_024)
        editor.simulation.run()
        // The gutter is first.
        editor.drawLayers()
        editor.pool.runAll(qos: .userInitiated)
        editor.simulation.run()
        #expect(editor.look == "1111|2", "tiles that have come into view show the content of the former edit")
        try editor.show(x: 0)
        editor.settle()
        #expect(editor.look == "1200|2")
        #expect(editor.results.elements == Array(repeating: DisplayGroupResult(together: 2), count: 2))
    }

    @Test("a storm of displays shows whole edits, and the newest at rest", arguments: [0, 1, 3])
    func storm(drawsOfLayers: Int) {
        var looks: Set<[Int?]> = []
        for step in 0..<60 {
            editor.edit([0, 1, 2, 3])
            editor.display()
            looks.insert(editor.shown)
            if step % 4 < drawsOfLayers { editor.drawLayers() } else { editor.drawText() }
            looks.insert(editor.shown)
            if drawsOfLayers == 0 { editor.drawLayers() }
            looks.insert(editor.shown)
        }
        #expect(looks.allSatisfy { Set($0).count == 1 }, "\(looks)")
        #expect(looks.count >= 3)
        for _ in 0..<3 { editor.settle() }
        #expect(editor.shown == Array(repeating: 60, count: 5))
        #expect(editor.results.elements == Array(repeating: DisplayGroupResult(together: 2), count: 60))
    }

    @Test("a group that is suspended shows nothing of its displays, and takes no damage before it is resumed")
    func suspended() {
        editor.edit([0])
        editor.display()
        editor.drawText()
        editor.group.suspend()
        #expect(editor.results.elements == [DisplayGroupResult(cancelled: 2)])
        editor.advance(by: 200)
        editor.settle()
        #expect(editor.look == "0000|0")
        editor.edit([1])
        editor.display()
        editor.settle()
        #expect(editor.look == "0000|0")
        #expect(editor.results.elements == Array(repeating: DisplayGroupResult(cancelled: 2), count: 2))
        editor.group.resume()
        editor.settle()
        #expect(editor.look == "1200|2")
        #expect(editor.text?.isComplete == true)
    }

    @Test("a display that follows is left by a layer that is suspended, and its damage is drawn on resume")
    func suspendedFollower() {
        editor.edit([0])
        editor.display()
        editor.drawText()
        editor.edit([1])
        editor.display()
        editor.group.suspend()
        editor.group.resume()
        editor.settle()
        #expect(editor.look == "1200|2")
        #expect(editor.results.elements == Array(repeating: DisplayGroupResult(cancelled: 2), count: 2))
    }
}
