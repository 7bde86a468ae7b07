import AsyncLayers

/// The glyphs of the stroke font: printable ASCII, the upper half of Latin-1, and the box for all else.
struct GlyphTable {
    static let shared = GlyphTable(source: glyphSource, accents: glyphAccents)

    /// Indexed by the scalar value.
    private var latin: [Glyph?] = Array(repeating: nil, count: 256)
    /// The letters that can also be written as a base and a combining mark. `Character` compares by canonical
    /// equivalence, so that the key é finds both spellings.
    private var accented: [Character: Glyph] = [:]
    private let space = Glyph(steps: [], advance: 6)
    private var box = Glyph(steps: [], advance: 0)

    /// The glyph of a character. White space of any kind is a space, and what the font does not have is a
    /// box.
    func glyph(for character: Character) -> Glyph {
        let scalars = character.unicodeScalars
        if let first = scalars.first, scalars.count == 1, first.value < 256,
            let glyph = latin[Int(first.value)]
        {
            return glyph
        }
        if let glyph = accented[character] { return glyph }
        return character.isWhitespace ? space : box
    }

    // MARK: Reading the source

    private init(source: String, accents: [(mark: Character, bases: String, letters: String)]) {
        var named: [Character: Glyph] = [:]
        for line in source.split(separator: "\n") {
            let fields = line.split(separator: " ")
            var glyph = Glyph(steps: [], advance: 0)
            for field in fields.dropFirst(2) {
                Self.append(field, to: &glyph.steps, named: named)
            }
            named[fields[0].first!] = Self.spaced(glyph, bearings: fields[1])
        }
        for (mark, bases, letters) in accents {
            for (base, letter) in zip(bases, letters) {
                named[letter] = Self.accented(named[base]!, mark: named[mark]!, isRaised: letter.isUppercase)
                accented[letter] = named[letter]
            }
        }
        box = named["□"]!
        for (character, glyph) in named {
            guard let value = character.unicodeScalars.first?.value, value < 256 else { continue }
            latin[Int(value)] = glyph
        }
        latin[0x20] = space
        latin[0xA0] = space
        latin[0xAD] = named["-"]
    }

    /// Reads one field of a line, in the syntax of `glyphSource`.
    private static func append(_ field: Substring, to steps: inout [Glyph.Step], named: [Character: Glyph]) {
        let letter = field.first!
        if letter == "@" {
            let numbers = field.dropFirst(2).split(separator: ",").map { Double($0)! }
            let part = named[field.dropFirst().first!]!
            let offset = numbers[1] - part.extent.min * numbers[0]
            steps += part.transformed(scale: numbers[0], x: offset, y: numbers[2])
            return
        }
        let numbers = (letter.isLetter ? field.dropFirst() : field).split(separator: ",").map { Double($0)! }
        let point = Point(x: numbers[0], y: numbers[1])
        switch letter {
        case "M": steps.append(.move(point))
        case "H": steps.append(.horizontalQuarter(point))
        case "V": steps.append(.verticalQuarter(point))
        case "Q": steps.append(.curve(control: point, Point(x: numbers[2], y: numbers[3])))
        case "o":
            // A dot is a little heavier than a stroke is wide, or it looks too faint.
            let radius = 0.35
            steps.append(.move(Point(x: point.x - radius, y: point.y)))
            steps.append(.verticalQuarter(Point(x: point.x, y: point.y + radius)))
            steps.append(.horizontalQuarter(Point(x: point.x + radius, y: point.y)))
            steps.append(.verticalQuarter(Point(x: point.x, y: point.y - radius)))
            steps.append(.horizontalQuarter(Point(x: point.x - radius, y: point.y)))
        default: steps.append(.line(point))
        }
    }

    /// Puts the room at both sides of the strokes that the bearings ask for.
    private static func spaced(_ glyph: Glyph, bearings: Substring) -> Glyph {
        let extent = glyph.extent
        let width = extent.max - extent.min
        let (left, advance): (Double, Double)
        if bearings.first == "=" {
            advance = Double(bearings.dropFirst())!
            left = (advance - width) / 2
        } else {
            let room: [Character: Double] = ["s": 2.25, "r": 1.6, "d": 1.1, "o": 0.5]
            left = room[bearings.first!]!
            advance = left + width + room[bearings.last!]!
        }
        return Glyph(steps: glyph.transformed(x: left - extent.min, y: 0), advance: advance)
    }

    /// Centres a mark over a letter, or under it for a cedilla, which the table draws below the baseline.
    private static func accented(_ base: Glyph, mark: Glyph, isRaised: Bool) -> Glyph {
        let (letter, accent) = (base.extent, mark.extent)
        // A narrow letter makes room for a wider mark.
        let room = max(0, accent.max - accent.min + 1.8 - base.advance)
        let middle = (letter.min + letter.max + room) / 2
        let x = middle - (accent.min + accent.max) / 2
        let isBelow = mark.steps.allSatisfy { $0.end.y <= 0 }
        return Glyph(
            steps: base.transformed(x: room / 2, y: 0)
                + mark.transformed(x: x, y: isRaised && !isBelow ? 4.4 : 0),
            advance: base.advance + room)
    }
}
