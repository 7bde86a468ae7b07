#if os(Linux)
    import Foundation
    import Testing

    @testable import BenchmarkHarness

    /// Runs the built program: its layers need a main thread with a run loop, which no test has.
    @Suite(.serialized, .timeLimit(.minutes(15))) struct ProgramTests {
        private struct Run {
            let status: Int32
            let entries: [JSONReport.Entry]

            func medians(of benchmark: String) -> [String: Double] {
                let entries = entries.filter { $0.benchmark == benchmark }
                return Dictionary(uniqueKeysWithValues: entries.map { ($0.contender, $0.median) })
            }
        }

        /// Runs the program, which SwiftPM puts beside the running test program.
        private func run(_ arguments: String...) throws -> Run {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let results = FileManager.default.temporaryDirectory
                .appendingPathComponent("layer-benchmarks-\(UUID().uuidString).json")
            defer { try? FileManager.default.removeItem(at: results) }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
                .appendingPathComponent("LayerBenchmarks")
            process.arguments = arguments + ["--json", results.path]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            let data = try? Data(contentsOf: results)
            return Run(
                status: process.terminationStatus,
                entries: try data.map { try JSONDecoder().decode([JSONReport.Entry].self, from: $0) } ?? [])
        }

        @Test func everyPassOfEveryContenderEndsInItsPicture() throws {
            let run = try run("--quick", "--rounds", "1", "--filter", "^(pass|lone-pass)")
            #expect(run.status == 0)
            for benchmark in [
                "pass", "pass-hand-over", "pass-commit", "pass-3-requests", "pass-256-kib", "pass-1-mib",
                "lone-pass",
            ] {
                let medians = run.medians(of: benchmark)
                #expect(medians.count == 5, "\(benchmark)")
                #expect(medians.values.allSatisfy { $0 > 0 }, "\(benchmark)")
            }
        }

        @Test func duplicatesAreDrawnOnceAndCachedRowsNotAtAll() throws {
            let run = try run("--quick", "--rounds", "1", "--filter", "^(duplicate|scroll-back)")
            #expect(run.status == 0)
            #expect(run.medians(of: "duplicate-request").count == 2)
            let draws = run.medians(of: "scroll-back-draws")
            #expect(draws["AsyncLayer with a cache"] == 0)
            #expect(draws["a dictionary by hand"] == 0)
            #expect(draws["YYAsyncLayer (2015)"] == 1)
            #expect(draws["AsyncLayer"] == 1)
            #expect(run.medians(of: "scroll-back-late")["AsyncLayer with a cache"] == 0)
        }

        @Test func aLayerThatRestsTakesNoMoreThan512Bytes() throws {
            let run = try run("--quick", "--rounds", "1", "--filter", "layer-bytes|layers-alive")
            #expect(run.status == 0)
            for benchmark in ["layer-bytes", "rested-layer-bytes"] {
                let bytes = run.medians(of: benchmark)
                #expect(bytes.count == 3)
                #expect(bytes.values.allSatisfy { $0 > 16 }, "\(benchmark)")
                #expect(try #require(bytes["AsyncLayer"]) <= 512, "\(benchmark)")
            }
            #expect(run.medians(of: "layers-alive").count == 2)
        }

        @Test func whatDrawsOnTheMainThreadIsNeverBlankAndHitches() throws {
            let run = try run("--quick", "--rounds", "1", "--filter", "^fling")
            #expect(run.status == 0)
            #expect(run.medians(of: "fling-blank")["on the main thread"] == 0)
            #expect(try #require(run.medians(of: "fling-hitches")["on the main thread"]) > 50)
            #expect(run.medians(of: "fling-unshown").count == 8)
        }

        @Test func inAStormLayersShowPicturesAndYYAsyncLayerHardlyAny() throws {
            let run = try run("--quick", "--rounds", "1", "--filter", "^storm")
            #expect(run.status == 0)
            #expect(run.medians(of: "storm-gap").values.allSatisfy { $0 > 0 })
            let pictures = run.medians(of: "storm-pictures")
            #expect(pictures.count == 3)
            // A single one, if the machine holds up the storm for the time of a draw.
            let ofYYAsyncLayer = try #require(pictures["YYAsyncLayer (2015)"])
            #expect(try #require(pictures["AsyncLayer"]) > 4 * ofYYAsyncLayer)
        }

        @Test func noFrameShowsAPartOfAGroupsEdit() throws {
            let run = try run("--quick", "--rounds", "1", "--filter", "^group-storm")
            #expect(run.status == 0)
            #expect(run.medians(of: "group-storm-torn")["AsyncLayer"] == 0)
            #expect(try #require(run.medians(of: "group-storm-pictures")["AsyncLayer"]) > 0)
        }

        @Test func nonsenseEndsWithStatus64() throws {
            #expect(try run("--filter", "no such benchmark").status == 64)
        }
    }
#endif
