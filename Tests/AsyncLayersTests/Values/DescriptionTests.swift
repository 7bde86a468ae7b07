import QueuePools
import Testing

@testable import AsyncLayers

@Suite("Descriptions of values of layers")
struct DescriptionTests {
    @Test("a color, insets and a transform are described by their numbers")
    func numbers() {
        #expect("\(Color(red: 1, green: 0.5, blue: 0))" == "rgba(1.0, 0.5, 0.0, 1.0)")
        #expect("\(EdgeInsets(top: 1, right: 2))" == "top 1.0, left 0.0, bottom 0.0, right 2.0")
        #expect("\(LayerTransform.translation(x: 10, y: 20))" == "[1.0 0.0 0.0 1.0 10.0 20.0]")
    }

    @Test("the geometry of a picture and of a context are described with their scale")
    func geometry() {
        let size = Size(width: 320, height: 44)
        #expect("\(ContentsGeometry(size: size, scale: 2))" == "320.0 × 44.0 at scale 2.0")
        var context = ContextDescription(pixelWidth: 640, pixelHeight: 88, scale: 2)
        #expect("\(context)" == "640 × 88 pixels at scale 2.0")
        context.isOpaque = true
        context.pixelOriginY = 88
        #expect("\(context)" == "640 × 88 pixels from (0, 88) at scale 2.0, opaque")
    }

    @Test("a report is described by the pass's number, outcome, source and times")
    func report() {
        let report = DisplayReport(
            pass: 7, outcome: .committed(isInterim: false), qos: .utility, waitTime: .milliseconds(2),
            drawTime: .milliseconds(10))
        #expect(
            "\(report)"
                == "pass 7: committed, drawn on utility, waited 2 ms, drew for 10 ms")
        let synchronous = DisplayReport(pass: 8, outcome: .superseded(.drawing), isSynchronous: true)
        #expect("\(synchronous)" == "pass 8: superseded while drawing, drawn synchronously")
    }

    @Test("statistics and the result of a group are described by their counters")
    func counters() {
        var statistics = DisplayStatistics()
        (statistics.begun, statistics.failed) = (9, 1)
        statistics.committed = 7
        #expect(
            "\(statistics)" == "begun 9, committed 7, interim 0, superseded 0, cancelled 0, failed 1")
        var result = DisplayGroupResult()
        (result.together, result.late) = (3, 1)
        #expect("\(result)" == "together 3, late 1, failed 0, cancelled 0")
        let cache = LayoutCache<String, Int>(byteLimit: 1_000) { _, _ in 40 }
        _ = cache.layout(for: "a", width: 10) { _ in 1 }
        #expect("\(cache.statistics)" == "values 1, 40 of 1000 bytes, hits 0, misses 1, waits 0")
    }
}
