// Prints each public declaration that nobody outside of the library names: no example, article, benchmark or
// embedding test. Names are compared as words, so a name that is common elsewhere counts as named; of a
// function, also its argument labels. Cases of errors count as named, and types that are used without their
// name.
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

/// Requirements of the language's own protocols, whose users name the protocol's function.
let languages: Set<Substring> = [
    "allCases", "codingKey", "description", "dictionaryLiteral", "encode", "endIndex", "from", "hash", "init",
    "into", "isolation",
    "makeAsyncIterator", "rawValue", "startIndex", "stringLiteral", "subscript",
]
/// Called by the Swift runtime.
let runtimes: Set<Substring> = [
    "asUnownedSerialExecutor", "checkIsolated", "isIsolatingCurrentContext",
]

struct Declaration {
    var path: Substring
    var text: Substring
    var type: Substring { path.prefix { $0 != "(" }.lastIndex(of: ".").map { path[..<$0] } ?? "" }

    /// Its last component, and the labels of its arguments; not of closures, which may trail.
    var names: [Substring] {
        let start = type.isEmpty ? path.startIndex : path.index(after: type.endIndex)
        return words(of: path[start...]).filter { name in
            guard name != "_", !languages.contains(name) else { return false }
            return text.firstMatch(of: try! Regex("\\b\(name)( \\w+)?: [^:)]*\\([^:]*->")) == nil
        }
    }
}

var declarations: [Declaration] = []
for file in files(in: CommandLine.arguments[1], [".txt"]).sorted() {
    for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
        guard let end = line.firstRange(of: ": ") else { continue }
        declarations.append(Declaration(path: line[..<end.lowerBound], text: line[end.upperBound...]))
    }
}
let isNamed = declarations.map { declaration in
    declaration.names.allSatisfy { named.contains($0) || runtimes.contains($0) }
        // Errors are read.
        || declaration.type.split(separator: ".").contains { $0.hasSuffix("Error") }
        || declaration.text.hasPrefix("requirement associatedtype")
}
// A type is used by who uses a member of it, or something that has its name in its declaration.
var used: Set<Substring> = []
for (declaration, isNamed) in zip(declarations, isNamed) where isNamed {
    used.formUnion(declaration.type.split(separator: "."))
    used.formUnion(words(of: declaration.text))
}
let typePattern = #/\b(struct|enum|class|protocol|typealias) \w/#
let unnamed = zip(declarations, isNamed).filter { declaration, isNamed in
    let isType = declaration.text.firstMatch(of: typePattern) != nil
    return !isNamed && !(isType && used.contains(words(of: declaration.path).last ?? ""))
}
for (declaration, _) in unnamed { print(declaration.path) }
exit(unnamed.isEmpty ? 0 : 1)
