import AsyncLayers
import Foundation
import TestSupport
import Testing

@testable import BitmapRendering

@Suite("Bitmaps and their memory", .timeLimit(.minutes(15)))
struct BitmapTests {
    @Test("The pixels are moved into the bitmap, not copied")
    func handedOver() throws {
        let context = try BitmapContext(pixelWidth: 300, pixelHeight: 200, scale: 2)
        let drawnTo = UnsafeRawPointer(context.writablePixels)
        let contents = BitmapRenderer().makeContents(from: context)
        contents.withUnsafeBytes { bytes in
            #expect(bytes.baseAddress == drawnTo)
            #expect(bytes.count == 300 * 200 * 4)
        }
        #expect(contents.pixelWidth == 300 && contents.pixelHeight == 200 && contents.scale == 2)
    }

    @Test(
        "A part that is drawn over a copy of a picture is the picture drawn whole, to the byte",
        arguments: 0..<UInt64(40))
    func partOfPicture(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let renderer = BitmapRenderer()
        let description = ContextDescription(
            pixelWidth: .random(in: 1...90, using: &random), pixelHeight: .random(in: 1...90, using: &random),
            scale: [0.5, 1, 1.5, 3].randomElement(using: &random)!,
            pixelOriginX: .random(in: 0...40, using: &random),
            pixelOriginY: .random(in: 0...40, using: &random))
        func draw(_ context: BitmapContext) {
            let paint = Paint.color(Color(red: 0.2, green: 0.6, blue: 0.9, alpha: 0.4))
            context.fill(Rect(x: 3.3, y: 8.1, width: 40, height: 22), cornerRadius: 7, with: paint)
            context.fillEllipse(in: Rect(x: -4, y: 20.2, width: 61, height: 33), with: paint)
            context.stroke(
                [Point(x: 1, y: 2), Point(x: 50, y: 61), Point(x: 9, y: 44)], width: 2.5, with: paint)
            context.withClip(Rect(x: 5.5, y: 5.5, width: 30, height: 30), cornerRadius: 9) {
                context.fill(with: paint)
            }
        }
        let context = try renderer.makeContext(description)
        draw(context)
        let whole = renderer.makeContents(from: context)
        for _ in 0..<20 {
            let x = Int.random(in: 0..<description.pixelWidth, using: &random)
            let y = Int.random(in: 0..<description.pixelHeight, using: &random)
            let part = AsyncLayers.PixelRect(
                minX: x, minY: y, maxX: .random(in: x + 1...description.pixelWidth, using: &random),
                maxY: .random(in: y + 1...description.pixelHeight, using: &random))
            let copy = try #require(try renderer.makeContext(description, copying: whole, redrawing: part))
            draw(copy)
            #expect(renderer.makeContents(from: copy).hasSamePixels(as: whole), "\(part)")
        }
        var other = description
        other.pixelWidth += 1
        let all = AsyncLayers.PixelRect(minX: 0, minY: 0, maxX: 99, maxY: 99)
        #expect(try renderer.makeContext(other, copying: whole, redrawing: all) == nil)
        let none = AsyncLayers.PixelRect(minX: 5, minY: 5, maxX: 5, maxY: 9)
        #expect(try renderer.makeContext(description, copying: whole, redrawing: none) == nil)
    }

    @Test("A bitmap is described by its size and scale, and a pixel by its components")
    func description() throws {
        let context = try BitmapContext(pixelWidth: 3, pixelHeight: 2, scale: 2)
        context.fill(with: .color(Color(red: 1, green: 0, blue: 0)))
        let bitmap = context.makeBitmap()
        #expect("\(bitmap)" == "3 × 2 pixels at scale 2.0")
        #expect("\(bitmap[x: 0, y: 0])" == "rgba(255, 0, 0, 255)")
    }

    @Test("A spent context ends the program with a message, when drawn into and when asked for pixels again")
    func spentContextTraps() async throws {
        let drawing = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let context = try BitmapContext(pixelWidth: 2, pixelHeight: 2)
            _ = context.makeBitmap()
            context.fill(with: .color(.black))
        }
        #expect(drawing.message.contains("after makeBitmap()"))
        let handingOver = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let context = try BitmapContext(pixelWidth: 2, pixelHeight: 2)
            _ = context.makeBitmap()
            _ = context.makeBitmap()
        }
        #expect(handingOver.message.contains("after makeBitmap()"))
    }

    #if compiler(>=6.3)  // exit tests of Swift 6.2 capture nothing
        @Test(
            "Every way to draw into a spent context traps, also where nothing would be drawn",
            arguments: 0..<5)
        func everyCallTraps(call: Int) async throws {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [call] in
                let context = try BitmapContext(pixelWidth: 2, pixelHeight: 2)
                let bitmap = context.makeBitmap()
                switch call {
                case 0: context.fill(.zero, with: .color(.clear))
                case 1: context.stroke([], width: 0, with: .color(.clear))
                case 2: context.draw(bitmap, at: Point(x: 99, y: 99))
                case 3: context.draw(bitmap, placed: ContentsPlacement(opacity: 0))
                default: context.draw("", baseline: .zero, font: StrokeFont(size: 0), color: .clear)
                }
            }
            #expect(result.message.contains("after makeBitmap()"))
        }
    #endif

    @Test(
        "Sizes without sense are refused",
        arguments: [(0, 1), (1, 0), (-1, 5), (5, .min), (.max, .max), (.max, 1), (1 << 24 + 1, 1)])
    func nonsenseSizes(width: Int, height: Int) {
        let error = BitmapError.invalidSize(pixelWidth: width, pixelHeight: height)
        #expect(throws: error) { try BitmapContext(pixelWidth: width, pixelHeight: height) }
        #expect(error.description.contains("\(width) × \(height)"))
    }

    @Test("Scales without sense are refused", arguments: [0, -1, .infinity, -.infinity, Double.nan])
    func nonsenseScales(scale: Double) {
        let error = #expect(throws: BitmapError.self) {
            try BitmapContext(pixelWidth: 1, pixelHeight: 1, scale: scale)
        }
        #expect(error?.description.contains("\(scale) pixels per point") == true)
    }

    @Test("Memory that the system does not have is an error")
    func outOfMemory() {
        let side = ContextDescription.pixelExtentLimit
        #expect(throws: BitmapError.outOfMemory(byteCount: side * side * 4)) {
            try BitmapRenderer().makeContext(ContextDescription(pixelWidth: side, pixelHeight: side))
        }
    }

    @Test("The bytes of a context are counted without overflow")
    func byteCounts() {
        let renderer = BitmapRenderer()
        #expect(renderer.byteCount(of: ContextDescription(pixelWidth: 30, pixelHeight: 20)) == 2_400)
        let side = ContextDescription.pixelExtentLimit
        #expect(renderer.byteCount(of: ContextDescription(pixelWidth: side, pixelHeight: side)) == 1 << 50)
        #expect(renderer.byteCount(of: ContextDescription(pixelWidth: .max, pixelHeight: .max)) == .max)
    }

    @Test("The renderer's fill paints over what is there")
    func rendererFills() throws {
        let renderer = BitmapRenderer()
        let context = try renderer.makeContext(ContextDescription(pixelWidth: 3, pixelHeight: 3))
        renderer.fill(context, with: .white)
        renderer.fill(context, with: Color(white: 0, alpha: 0.5))
        let contents = renderer.makeContents(from: context)
        #expect(Set(contents.allPixels) == [Bitmap.Pixel(red: 127, green: 127, blue: 127, alpha: 255)])
    }

    @Test("Pixels outside the picture read as clear")
    func outside() throws {
        let picture = try bitmap(2, 2) { $0.fill(with: .red) }
        for (x, y) in [(-1, 0), (0, -1), (2, 0), (0, 2), (.min, .max)] {
            #expect(picture[x: x, y: y] == .nothing)
        }
    }

    @Test("Pictures are compared by their bytes")
    func comparison() throws {
        let first = try bitmap(4, 2) { $0.fill(with: .red) }
        #expect(first.hasSamePixels(as: first))
        #expect(first.hasSamePixels(as: try bitmap(4, 2, scale: 3) { $0.fill(with: .red) }))
        #expect(!first.hasSamePixels(as: try bitmap(2, 4) { $0.fill(with: .red) }))
        #expect(!first.hasSamePixels(as: try bitmap(4, 2) { $0.fill(with: .black) }))
    }

    @Test("The same drawing on many threads yields the same bytes")
    func sameOnEveryThread() async throws {
        @Sendable func draw() throws -> Bitmap {
            try bitmap(200, 100, scale: 2) { context in
                let gradient = LinearGradient(from: .zero, .white, to: Point(x: 100, y: 33), .black)
                context.fill(
                    Rect(x: 0.3, y: 0.7, width: 90, height: 44), cornerRadius: 9,
                    with: .linearGradient(gradient))
                context.withClip(Rect(x: 5, y: 5, width: 60, height: 40), cornerRadius: 20) {
                    context.draw(
                        "Größe 12½", baseline: Point(x: 2.2, y: 30), font: StrokeFont(size: 17), color: .black
                    )
                }
            }
        }
        let reference = try draw()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 { group.addTask { try draw().hasSamePixels(as: reference) } }
            for try await isSame in group { #expect(isSame) }
        }
    }

    #if os(Linux)
        @Test("The memory of bitmaps and of unfinished contexts is released")
        func memoryIsFreed() throws {
            func residentBytes() throws -> Int {
                let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
                    separator: " ")
                return try #require(Int(fields[1])) * 4_096
            }
            let before = try residentBytes()
            for round in 0..<64 {
                let context = try BitmapContext(pixelWidth: 2_048, pixelHeight: 2_048)
                context.fill(with: .black)
                if round.isMultiple(of: 2) { _ = context.makeBitmap() }
            }
            // A gibibyte was written in all, sixteen mebibytes at a time.
            #expect(try residentBytes() - before < 512 << 20)
        }
    #endif
}
