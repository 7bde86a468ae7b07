import Testing

@testable import LayerBenchmarks

@Suite struct DrawLedgerTests {
    @Test func whatNobodySawIsCountedByTheTimeThatItTook() {
        let ledger = DrawLedger()
        let draws = [0, 1].map { ledger.makeDraw(of: $0, milliseconds: 2) }
        let pictures = draws.map { draw in draw.makePicture { false } }
        #expect(ledger.unshownPercentage == 100)
        #expect(ledger.show(pictures[0], as: 0))
        #expect((20...80).contains(ledger.unshownPercentage))
        #expect(ledger.show(pictures[1], as: 1))
        #expect(ledger.unshownPercentage == 0)
    }

    @Test func aPictureOfSomethingElseIsNotShown() {
        let ledger = DrawLedger()
        let picture = ledger.makeDraw(of: 7, milliseconds: 0.1).makePicture { false }
        #expect(!ledger.show(picture, as: 8))
        #expect(!ledger.show(nil, as: 7))
        #expect(ledger.unshownPercentage == 100)
    }

    @Test func aDrawThatNeverRanIsNoWaste() {
        let ledger = DrawLedger()
        _ = ledger.makeDraw(of: 1, milliseconds: 4)
        #expect(ledger.unshownPercentage == 0)
    }
}
