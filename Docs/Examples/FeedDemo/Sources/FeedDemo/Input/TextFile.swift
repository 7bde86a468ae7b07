import FeedKit
import Foundation

/// Reads one file as text, within a budget of bytes.
enum TextFile {
    /// The text of a file, its byte-order mark left out and its line ends made `\n`.
    ///
    /// - Parameter budget: how many bytes may still be read; what this file takes is subtracted.
    /// - Throws: ``ProgramError`` when the file cannot be read, is larger than the budget, or is not UTF-8
    ///   text.
    static func read(_ url: URL, budget: inout Int) throws -> String {
        let data = try contents(of: url, budget: budget)
        budget -= data.count
        if let position = data.firstIndex(of: 0) {
            throw ProgramError(.badData, "'\(url.path)' is binary, not text: byte \(position) is zero")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ProgramError(.badData, "'\(url.path)' is binary or not UTF-8 text")
        }
        return normalized(text)
    }

    /// The bytes of a file. The size that the file system tells is not trusted: it may grow, or be a lie.
    private static func contents(of url: URL, budget: Int) throws -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            var bytes: [UInt8] = []
            while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty {
                bytes += chunk
                guard bytes.count <= budget else {
                    let limit = FeedLoader.maximumByteCount >> 20
                    throw ProgramError(
                        .badData, "'\(url.path)' takes the input over its limit of \(limit) MiB")
                }
            }
            return bytes
        } catch let error as ProgramError {
            throw error
        } catch {
            throw ProgramError(.noInput, "cannot read '\(url.path)'")
        }
    }

    private static func normalized(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var previous: Unicode.Scalar = "\n"
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case "\u{FEFF}": continue
            case "\r": scalars.append("\n")
            case "\n" where previous == "\r": continue
            case "\t": scalars.append(contentsOf: "    ".unicodeScalars)
            case "\u{2028}", "\u{2029}", "\u{0C}": scalars.append("\n")
            case "\n": scalars.append(scalar)
            // The other control characters draw nothing and are not allowed in XML.
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}": continue
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}
