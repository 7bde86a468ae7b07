/// The few character references that Markdown documents use.
enum HTMLEntity {
    /// What a name (without `&` and `;`) stands for: a named, decimal (`#8212`) or hexadecimal (`#x2014`)
    /// reference; nil for a name that is not known or a number that is no printable character.
    static func text(_ name: String) -> String? {
        guard name.hasPrefix("#") else { return named[name] }
        let digits = name.dropFirst()
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, number >= 32, !(0x7F...0x9F).contains(number), let scalar = Unicode.Scalar(number)
        else {
            return nil
        }
        return String(Character(scalar))
    }

    private static let named = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "\u{A9}",
        "times": "\u{D7}", "mdash": "--", "ndash": "-", "hellip": "...", "rarr": "->", "larr": "<-",
    ]
}
