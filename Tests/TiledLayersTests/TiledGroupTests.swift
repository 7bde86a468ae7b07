import BitmapRendering
import ManualPools
import QueuePools
import QueuePoolsSimulations
import TestSupport
import Testing

@testable import AsyncLayers
@testable import TiledLayers

@Suite("Tiled layers in groups", .timeLimit(.minutes(15)))
@MainActor
struct TiledGroupTests {
    struct Failure: Error {}

    let editor: GroupedEditor

    init() throws { editor = try GroupedEditor() }

    @Test(
        "tiles and layers of a group change in one step, whichever is drawn first, and beyond an edit's limit",
        arguments: [[0], [0, 1]], [true, false])
    func together(tiles: [Int], textFirst: Bool) {
        #expect(editor.look == "0000|0")
        editor.edit(tiles)
        editor.display()
        if textFirst { editor.drawText(tiles.count) } else { editor.drawLayers() }
        #expect(editor.look == "0000|0")
        editor.advance(by: 60)
        #expect(editor.look == "0000|0")
        if textFirst { editor.drawLayers() } else { editor.drawText(tiles.count) }
        #expect(editor.look == (tiles.count == 1 ? "1000|1" : "1100|1"))
        #expect(editor.results.elements == [DisplayGroupResult(together: 2)])
    }

    @Test("no callback sees a part of a group", arguments: [true, false], [true, false])
    func callbacks(hasOwnHost: Bool, textFirst: Bool) throws {
        let editor = try GroupedEditor(hasOwnHost: hasOwnHost)
        var looks: [String] = []
        editor.text?.onChange = { [unowned editor] in looks.append(editor.look) }
        editor.gutter.onContentsChange = { [unowned editor] _ in looks.append(editor.look) }
        editor.edit([2, 3])
        editor.display()
        if textFirst { editor.drawText(2) }
        editor.drawLayers()
        editor.drawText(2)
        #expect(Set(looks).subtracting(["0000|0"]) == ["0011|1"])
        #expect(editor.results.elements == [DisplayGroupResult(together: 2)])
    }

    @Test("a callback for a tile that came into view sees no edit that was received in the same step")
    func callbackOfAnotherTile() throws {
        editor.text?.trim()
        try editor.show(x: 64)
        editor.simulation.run()
        editor.edit([1])
        editor.display()
        var looks: [String] = []
        editor.text?.onChange = { [unowned editor] in looks.append(editor.look) }
        editor.pool.runNext(qos: .userInitiated)
        editor.pool.runNext(qos: .userInteractive)
        editor.simulation.run()
        #expect(looks == ["000-|0"])
        editor.settle()
        #expect(editor.look == "1000|1")
    }

    @Test("after the time limit tiles appear that are there, and the others by themselves")
    func late() {
        editor.edit([0, 1])
        editor.display()
        editor.drawText()
        editor.drawLayers()
        editor.advance(by: 99)
        #expect(editor.look == "0000|0")
        editor.advance(by: 1)
        #expect(editor.look == "1000|1")
        #expect(editor.results.elements.isEmpty)
        editor.drawText()
        #expect(editor.look == "1100|1")
        #expect(editor.results.elements == [DisplayGroupResult(together: 1, late: 1)])
    }

    @Test(
        "a late edit whose own limit is longer appears in one step, or at that limit",
        arguments: [true, false])
    func lateWithLongerLimit(isDrawn: Bool) {
        editor.text?.editLimit = .milliseconds(300)
        editor.edit([0, 1])
        editor.display()
        editor.drawText()
        editor.drawLayers()
        editor.advance(by: 299)
        #expect(editor.look == "0000|1")
        if isDrawn {
            editor.drawText()
            #expect(editor.look == "1100|1")
        } else {
            editor.advance(by: 1)
            #expect(editor.look == "1000|1")
            editor.drawText()
        }
        #expect(editor.look == "1100|1")
        #expect(editor.results.elements == [DisplayGroupResult(together: 1, late: 1)])
    }

    @Test("tiles appear at the time limit if a layer is late")
    func lateLayer() {
        editor.edit([0])
        editor.display()
        editor.drawText()
        editor.advance(by: 100)
        #expect(editor.look == "1000|0")
        editor.drawLayers()
        #expect(editor.look == "1000|1")
        #expect(editor.results.elements == [DisplayGroupResult(together: 1, late: 1)])
    }

    @Test("a tiled layer that is not damaged delays no other")
    func undamaged() {
        editor.edit([])
        editor.display()
        editor.drawLayers()
        #expect(editor.look == "0000|1")
        #expect(editor.results.elements == [DisplayGroupResult(together: 2)])
    }

    @Test("damage that comes while the group waits appears with it")
    func damageMeanwhile() {
        editor.edit([])
        editor.display()
        editor.edit([0, 1])
        editor.simulation.run()
        editor.drawText(2)
        #expect(editor.look == "0000|0")
        editor.edit([0])
        editor.simulation.run()
        editor.drawText()
        #expect(editor.look == "0000|0")
        editor.drawLayers()
        #expect(editor.look == "3200|3")
        #expect(editor.results.elements == [DisplayGroupResult(together: 2)])
    }

    @Test("pictures that are damaged when the last layer is ready are drawn again before they appear")
    func damagedAtTheEnd() {
        editor.edit([0])
        editor.display()
        editor.drawText()
        editor.state = 2
        editor.damage([0])
        editor.pool.runNext(qos: .userInitiated)
        editor.simulation.runMainQueue()
        #expect(editor.look == "0000|0")
        editor.simulation.run()
        #expect(editor.look == "0000|0")
        editor.drawText()
        #expect(editor.look == "2000|1")
    }

    @Test("an edit that has begun before the display waits for the group")
    func earlierEdit() {
        editor.edit([0, 1])
        editor.simulation.run()
        editor.drawText()
        editor.advance(by: 20)
        editor.edit([2])
        editor.display()
        editor.drawText(2)
        editor.advance(by: 60)
        #expect(editor.look == "0000|0")
        editor.drawLayers()
        #expect(editor.look == "1120|2")
    }

    @Test("a failed tile delays no other, and counts")
    func failure() {
        editor.beforeDraw = { scope in if scope.area.minX < 64 { throw Failure() } }
        editor.edit([0, 1])
        editor.display()
        editor.drawText(2)
        #expect(editor.look == "0000|0")
        editor.drawLayers()
        #expect(editor.look == "0100|1")
        #expect(editor.results.elements == [DisplayGroupResult(together: 1, failed: 1)])
    }

    @Test("a tiled layer that goes delays no other: it waits, follows, or is late", arguments: 0..<3)
    func gone(phase: Int) {
        weak let pipeline = editor.text?.pipeline
        editor.edit([0])
        editor.display()
        if phase == 1 {
            editor.drawLayers()
            editor.edit([1])
            editor.display()
        }
        if phase == 2 {
            editor.drawLayers()
            editor.advance(by: 100)
        }
        editor.dropText()
        editor.simulation.run()
        editor.drawLayers(2)
        editor.settle()
        #expect(editor.shown(editor.gutter) == editor.state)
        let result = DisplayGroupResult(together: 1, cancelled: 1)
        #expect(editor.results.elements == Array(repeating: result, count: phase == 1 ? 2 : 1))
        #expect(pipeline == nil)
    }

    @Test("layers without view, or without delegate, delay no other", arguments: [true, false])
    func empty(hasDelegate: Bool) {
        let layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: Size(width: 900, height: 900),
            host: editor.simulation.host)
        if hasDelegate { layer.delegate = editor } else { editor.text?.delegate = nil }
        editor.group.add(layer)
        editor.edit([0])
        editor.display()
        editor.drawText()
        editor.drawLayers()
        #expect(editor.look == (hasDelegate ? "1000|1" : "0000|1"))
        #expect(editor.results.elements == [DisplayGroupResult(together: 3)])
    }

    @Test("a tiled layer that was removed from the group appears by itself")
    func removed() {
        if let text = editor.text { editor.group.remove(text) }
        editor.edit([0])
        editor.display()
        editor.simulation.run()
        editor.drawText()
        #expect(editor.look == "1000|0")
        editor.drawLayers()
        #expect(editor.results.elements == [DisplayGroupResult(together: 1)])
    }

    @Test("a display that the delegate requests, asked for the content, has the edit")
    func displayedWhileAsked() {
        editor.onAsked = { [unowned editor] in
            editor.onAsked = nil
            editor.gutter.setNeedsDisplay()
            editor.display()
        }
        editor.state = 1
        editor.damage([0])
        editor.simulation.run()
        editor.drawText()
        #expect(editor.look == "0000|0")
        editor.drawLayers()
        #expect(editor.look == "1000|1")
        #expect(editor.results.elements == [DisplayGroupResult(together: 2)])
    }

    @Test("a change of level or of the view shows nothing that waits", arguments: [true, false])
    func viewChange(isZoom: Bool) throws {
        editor.edit([0, 1, 2, 3])
        editor.display()
        editor.drawText(4)
        try editor.show(x: isZoom ? 0 : 512, scale: isZoom ? 2 : 1)
        editor.simulation.run()
        if isZoom { #expect(editor.look == "0000|0") }
        try editor.show(x: 0)
        editor.simulation.run()
        #expect(editor.look == "0000|0")
        editor.pool.runAll(qos: .userInitiated)
        editor.simulation.run()
        #expect(editor.look == "1111|1")
        #expect(editor.results.elements == [DisplayGroupResult(together: 2)])
    }

    @Test("what is trimmed or lost meanwhile appears with the group", arguments: [false, true])
    func lost(isTrimmed: Bool) {
        editor.edit([0, 1])
        editor.display()
        editor.drawText(2)
        if isTrimmed { editor.text?.trim() } else { editor.text?.forgetUploads() }
        editor.simulation.run()
        #expect(editor.look == "0000|0")
        editor.drawLayers()
        #expect(editor.look == "1100|1")
    }

    @Test("settled() waits for the group")
    func settled() async {
        editor.edit([0])
        editor.display()
        editor.drawText()
        let waiter = Task { [text = editor.text] in await text?.settled() }
        await Task.yield()
        editor.simulation.run()
        #expect(editor.text?.isComplete == false)
        editor.drawLayers()
        #expect(editor.text?.isComplete == true)
        await waiter.value
    }
}
