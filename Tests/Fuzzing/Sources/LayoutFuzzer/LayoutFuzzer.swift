import AsyncLayers
import CLibFuzzer
import CairoRendering
import Glibc

/// Lays out libFuzzer's input, within the default bounds, and checks the layout.
@main
enum LayoutFuzzer {
    /// The most processor time between two moments at which a stale draw ends. The library promises 20 ms;
    /// the rest is for Address Sanitizer and for a busy machine.
    private static let longestPiece = 400_000_000

    static func main() {
        // Finds the fonts, once for the process.
        layOut(Array("\0\0\0\0aא漢👩".utf8))
        var (count, arguments) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
        LLVMFuzzerRunDriver(&count, &arguments) { start, count in
            LayoutFuzzer.layOut(Array(UnsafeBufferPointer(start: start, count: count)))
            return 0
        }
    }

    /// Four bytes say how, and the others are the text.
    static func layOut(_ bytes: [UInt8]) {
        guard bytes.count > 4 else { return }
        var options = TextLayoutOptions()
        options.wrapping = [.words, .characters, .wordsThenCharacters][Int(bytes[0] & 3) % 3]
        options.truncation = [.none, .start, .middle, .end][Int(bytes[0] >> 2 & 3)]
        options.alignment = [.start, .center, .end, .justified][Int(bytes[0] >> 4 & 3)]
        options.direction = [.automatic, .leftToRight, .rightToLeft][Int(bytes[0] >> 6) % 3]
        options.lineLimit = Int(bytes[1] & 7)
        options.lineSpacing = Double(bytes[1] >> 3) - 8
        options.recordsCarets = bytes[2] & 1 == 0
        let width = bytes[2] == 255 ? .infinity : Double(bytes[2]) * 2
        let text = text(bytes[4...], repeated: 1 << Int(bytes[3] & 15))

        var stop = clock()
        func endPiece() {
            let now = clock()
            precondition(now - stop < longestPiece, "a piece took \((now - stop) / 1_000_000) ms")
            stop = now
        }
        do {
            let layout = try TextLayout(text, width: width, options: options) {
                endPiece()
                return false
            }
            check(layout, of: text, options)
            if let carets = layout.carets { check(carets, of: text) }
            stop = clock()
        } catch {
            precondition(error is TextLayoutError)
        }
        endPiece()
    }

    /// Bytes from 0xF8 on are in no UTF-8: each ends a run, and says what the next one is like.
    private static func text(_ bytes: ArraySlice<UInt8>, repeated count: Int) -> RichText {
        var text = RichText()
        for _ in 0..<count where text.runs.count < 20_000 {
            var (style, mark) = (TextStyle(), TextMark?.none)
            for run in bytes.split(omittingEmptySubsequences: false, whereSeparator: { $0 >= 0xF8 }) {
                text.append(String(decoding: run, as: UTF8.self), style: style, mark: mark)
                guard run.endIndex < bytes.endIndex else { continue }
                let kind = bytes[run.endIndex]
                style.size = kind & 1 == 0 ? 15 : 1_000
                style.letterSpacing = kind & 2 == 0 ? 0 : 1_000
                style.isUnderlined = kind & 1 == 0
                mark = kind & 4 == 0 ? nil : .link("")
            }
        }
        return text
    }

    private static func check(_ layout: TextLayout, of text: RichText, _ options: TextLayoutOptions) {
        precondition(layout.lineCount >= 1)
        if let limit = options.lineLimit, limit > 0 { precondition(layout.lineCount <= limit) }
        precondition(layout.size.width >= 0 && layout.size.width <= 1e7 && layout.size.height.isFinite)
        precondition(layout.firstBaseline.isFinite && layout.byteCount > 0)
        precondition(layout.marks.count == text.runs.count { $0.mark != nil })
        for rect in layout.marks.flatMap(\.rects) {
            precondition(rect.minY.isFinite && rect.size.width > 0 && rect.maxX <= layout.size.width + 1)
        }
    }

    /// Each line's ends and middle, and steps from them; and the selection of all.
    private static func check(_ carets: TextCarets, of text: RichText) {
        precondition(carets.string == text.string && !carets.lines.isEmpty)
        precondition(carets.lines.last?.range.upperBound == carets.string.endIndex)
        for line in carets.lines {
            let middle = carets.closestPosition(to: Point(x: line.rect.midX, y: line.rect.midY))
            for position in [line.start, line.end, middle] {
                let rect = carets.caretRect(at: position)
                precondition(rect.minX.isFinite && carets.roundedDown(position) == position)
                _ = (carets.position(leftOf: position), carets.position(rightOf: position))
                _ = (carets.position(above: position), carets.position(below: position))
                precondition(carets.wordRange(at: position.index).lowerBound <= position.index)
            }
        }
        let rects = carets.selectionRects(of: carets.string.startIndex..<carets.string.endIndex)
        precondition(rects.allSatisfy { $0.size.width > 0 && $0.maxX.isFinite })
    }

    private static func clock() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
