import ScrollScheduling
import Testing

@Suite("Scroll filter")
struct ScrollFilterTests {
    /// A list of 100 rows, of which some are visible, under a finger.
    static func filter(
        visible: Range<Int>, options: ScrollFilter.Options = .init()
    ) -> ScrollFilter {
        var filter = ScrollFilter(rowCount: 100, options: options)
        filter.handle(.dragBegan)
        filter.handle(.moved(visible: visible))
        return filter
    }

    @Test("at rest and under the finger the visible rows are wanted")
    func following() {
        var filter = Self.filter(visible: 10..<15)
        #expect(filter.wantedRows == 10..<15)
        #expect(filter.wants(14))
        #expect(!filter.wants(15))
        filter.handle(.moved(visible: 40..<45))
        #expect(filter.wantedRows == 40..<45)
        filter.handle(.settled)
        #expect(filter.wantedRows == 40..<45)
        #expect(!filter.isSkipping)
    }

    @Test("a scroll of up to eight rows skips nothing, one of nine only wants where it stops")
    func skipDistance() {
        var filter = Self.filter(visible: 10..<15)
        filter.handle(.liftedOff(target: 18..<23))
        #expect(!filter.isSkipping)
        #expect(filter.wantedRows == 10..<15)
        filter.handle(.liftedOff(target: 19..<24))
        #expect(filter.isSkipping)
        #expect(filter.wantedRows == 19..<27)
        filter.handle(.liftedOff(target: 2..<7))
        #expect(filter.wantedRows == 10..<15)
        filter.handle(.liftedOff(target: 1..<6))
        #expect(filter.isSkipping)
    }

    @Test("three rows more are wanted, on the far side, as far as there are any")
    func rowsBeyond() {
        var filter = Self.filter(visible: 40..<45)
        filter.handle(.liftedOff(target: 70..<75))
        #expect(filter.wantedRows == 70..<78)
        filter.handle(.liftedOff(target: 10..<15))
        #expect(filter.wantedRows == 7..<15)
        filter.handle(.liftedOff(target: 93..<98))
        #expect(filter.wantedRows == 93..<100)
        filter.handle(.liftedOff(target: 1..<6))
        #expect(filter.wantedRows == 0..<6)
    }

    @Test("rows that are passed stay unwanted until the scroll settles there")
    func passing() {
        var filter = Self.filter(visible: 0..<5)
        filter.handle(.liftedOff(target: 50..<55))
        filter.handle(.moved(visible: 20..<25))
        #expect(filter.wantedRows == 50..<58)
        filter.handle(.moved(visible: 48..<53))
        #expect(filter.wantedRows == 50..<58)
        filter.handle(.moved(visible: 50..<55))
        filter.handle(.settled)
        #expect(filter.wantedRows == 50..<55)
    }

    @Test("a finger that stops the scroll gets the rows that are there")
    func interrupted() {
        var filter = Self.filter(visible: 0..<5)
        filter.handle(.liftedOff(target: 50..<55))
        filter.handle(.moved(visible: 20..<25))
        filter.handle(.dragBegan)
        #expect(filter.wantedRows == 20..<25)
        filter.handle(.liftedOff(target: 23..<28))
        #expect(filter.wantedRows == 20..<25)
    }

    @Test("a scroll to the top wants only the top until it ends, however near")
    func scrollToTop() {
        var filter = Self.filter(visible: 60..<65)
        filter.handle(.scrollToTopBegan(target: 0..<6))
        #expect(filter.wantedRows == 0..<6)
        filter.handle(.moved(visible: 30..<35))
        #expect(filter.wantedRows == 0..<6)
        filter.handle(.moved(visible: 0..<6))
        filter.handle(.settled)
        #expect(filter.wantedRows == 0..<6)
        #expect(!filter.isSkipping)

        filter = Self.filter(visible: 2..<7)
        filter.handle(.scrollToTopBegan(target: 0..<6))
        #expect(filter.isSkipping)
        filter.handle(.dragBegan)
        #expect(filter.wantedRows == 2..<7)

        filter = Self.filter(visible: 0..<6)
        filter.handle(.scrollToTopBegan(target: 0..<6))
        #expect(!filter.isSkipping)
    }

    @Test("a target beyond the ends is taken as the last rows or the first")
    func targetOutside() {
        var filter = Self.filter(visible: 0..<5)
        filter.handle(.liftedOff(target: 98..<103))
        #expect(filter.wantedRows == 95..<100)
        filter.handle(.liftedOff(target: Int.max - 5..<Int.max))
        #expect(filter.wantedRows == 95..<100)
        filter.handle(.liftedOff(target: Int.min..<Int.max))
        #expect(!filter.isSkipping)
        filter = Self.filter(visible: 90..<95)
        filter.handle(.liftedOff(target: -7..<(-2)))
        #expect(filter.wantedRows == 0..<5)
        filter.handle(.liftedOff(target: Int.min..<Int.min + 5))
        #expect(filter.wantedRows == 0..<5)
    }

    @Test("an unknown target skips nothing")
    func unknownTarget() {
        var filter = Self.filter(visible: 0..<5)
        filter.handle(.liftedOff(target: 50..<50))
        #expect(filter.wantedRows == 0..<5)
        filter = ScrollFilter(rowCount: 100)
        filter.handle(.liftedOff(target: 50..<55))
        #expect(filter.wantedRows.isEmpty)
        #expect(!filter.isSkipping)
    }

    @Test("a scroll that turns back, or goes past its target, skips nothing any more")
    func wrongPrediction() {
        var filter = Self.filter(visible: 40..<45)
        filter.handle(.liftedOff(target: 60..<65))
        filter.handle(.moved(visible: 50..<55))
        filter.handle(.moved(visible: 49..<54))
        #expect(filter.wantedRows == 49..<54)

        filter.handle(.liftedOff(target: 60..<65))
        filter.handle(.moved(visible: 67..<72))
        #expect(filter.isSkipping)
        filter.handle(.moved(visible: 68..<73))
        #expect(filter.wantedRows == 68..<73)

        filter.handle(.liftedOff(target: 20..<25))
        filter.handle(.moved(visible: 50..<55))
        #expect(filter.isSkipping)
        filter.handle(.moved(visible: 12..<17))
        #expect(filter.wantedRows == 12..<17)
    }

    @Test("rows that come or go end the skipping, and never lead outside the list")
    func rowsChanged() {
        var filter = Self.filter(visible: 10..<15)
        filter.handle(.liftedOff(target: 50..<55))
        filter.handle(.rowsChanged(count: 12))
        #expect(filter.wantedRows == 10..<12)
        #expect(!filter.isSkipping)
        filter.handle(.rowsChanged(count: -4))
        #expect(filter.rowCount == 0)
        #expect(filter.wantedRows.isEmpty)
        filter.handle(.liftedOff(target: 50..<55))
        filter.handle(.moved(visible: 3..<9))
        #expect(filter.wantedRows.isEmpty)
    }

    @Test("the numbers can be chosen, and nonsense is taken as zero or as never")
    func options() {
        let wide = ScrollFilter.Options(skipDistance: -1, rowsBeyond: .max, rowsBefore: 2)
        var filter = Self.filter(visible: 10..<15, options: wide)
        filter.handle(.liftedOff(target: 11..<16))
        #expect(filter.wantedRows == 9..<100)
        filter.handle(.liftedOff(target: 5..<10))
        #expect(filter.wantedRows == 0..<12)

        let none = ScrollFilter.Options(skipDistance: .max, rowsBeyond: -3, rowsBefore: -3)
        #expect(none.rowsBeyond == 0)
        #expect(none.rowsBefore == 0)
        filter = Self.filter(visible: 0..<5, options: none)
        filter.handle(.liftedOff(target: 95..<100))
        #expect(!filter.isSkipping)
    }
}
