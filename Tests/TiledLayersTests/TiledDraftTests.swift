import AsyncLayers
import BitmapRendering
import QueuePoolsSimulations
import TestSupport
import Testing
import Foundation

@testable import TiledLayers

@Suite("Drafts of tiles")
@MainActor
struct TiledDraftTests {
    @Test func explore() throws {
        for width in [480.0, 1_500] {
            for speed in [250.0, 2_500] {
                for kind in 0..<2 {
                    for areaShare in [0.0, 0.02, 0.05, 0.1] {
                        for draft in [nil, 1.0 / 16] {
                            let stage = DragStage(content: Size(width: width, height: 250_000))
                            stage.areaShare = areaShare
                            stage.layer.draft = draft
                            stage.open()
                            let places = (0..<60).map { kind == 0 ? Double($0) * speed : 75_000 * (1 - cos(Double($0) * speed / 15_000 )) + Double($0 % 3) * 10 }
                            let (blank, rest) = stage.drag(over: places)
                            func r(_ x: Double) -> Double { (x * 1000).rounded() / 1000 }
                            print(width, speed, kind, areaShare, draft == nil ? "none" : "draft", r(blank.early), r(blank.late), stage.layer.statistics.draws[.draft] ?? 0, stage.layer.statistics.draws[.first] ?? 0, "rest", rest, r((stage.layer.pipeline.drawTimes.newest.surplus ?? .zero) / .milliseconds(1)))
                        }
                    }
                }
            }
        }
    }
}
