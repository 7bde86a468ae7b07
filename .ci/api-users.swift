// Prints each public declaration that nobody outside of the library names: no example, article, benchmark or
// embedding test. Names are compared as words, so a name that is common elsewhere counts as named; of a
// function, also its argument labels.
//
// Usage: api-users API-FOLDER USER...    API-FOLDER holds the digests; a USER is a file or a folder, of which
//                                        Swift and Markdown files are read. Ends with 1 if it prints any.

import Foundation

guard CommandLine.arguments.count > 2 else {
    FileHandle.standardError.write(Data("usage: api-users API-FOLDER USER...\n".utf8))
    exit(64)
}

func files(in path: String, _ suffixes: [String]) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        FileHandle.standardError.write(Data("error: there is no \(path)\n".utf8))
        exit(66)
    }
    guard isFolder.boolValue else { return [path] }
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
        !name.split(separator: "/").contains { $0.hasPrefix(".") } && suffixes.contains { name.hasSuffix($0) }
    }.map { "\(path)/\($0)" }
}

func words(of text: some StringProtocol) -> [Substring] {
    String(text).split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { $0 }
}

var named: Set<Substring> = []
for user in CommandLine.arguments.dropFirst(2) {
    for file in files(in: user, [".swift", ".md"]) {
        named.formUnion(words(of: try String(contentsOfFile: file, encoding: .utf8)))
    }
}

/// What the language's own protocols require, whose users name the protocol's function.
let languages: Set<Substring> = [
    "allCases", "codingKey", "description", "encode", "endIndex", "from", "hash", "init", "into", "isolation",
    "makeAsyncIterator", "rawValue", "startIndex", "stringLiteral", "subscript",
]
/// Called by the Swift runtime.
let runtimes: Set<Substring> = [
    "asUnownedSerialExecutor", "checkIsolated", "isIsolatingCurrentContext",
]

var unnamed: [String] = []
for file in files(in: CommandLine.arguments[1], [".txt"]).sorted() {
    for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
        guard let end = line.firstRange(of: ": ")?.lowerBound, !line[end...].hasPrefix(": is ") else {
            continue
        }
        let path = line[..<end]
        // The last component, with the labels of its arguments.
        let start =
            path.prefix { $0 != "(" }.lastIndex(of: ".").map { path.index(after: $0) } ?? path.startIndex
        let names = words(of: path[start...]).filter { $0 != "_" && !languages.contains($0) }
        if names.contains(where: { !named.contains($0) && !runtimes.contains($0) }) {
            unnamed.append(String(path))
        }
    }
}
for path in unnamed { print(path) }
exit(unnamed.isEmpty ? 0 : 1)
