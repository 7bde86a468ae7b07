// Reduces the symbol graphs of a module to a text that can be compared: a line for each public declaration,
// sorted. A type's line names what it conforms to, as its declaration does; one that another implies
// is left out.
//
// Usage: api-digest FOLDER    Reads all symbol graphs (*.symbols.json) of a folder; prints the text.

import Foundation

struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { var precise: String }
        struct Kind: Decodable { var identifier: String }
        struct Fragment: Decodable { var spelling: String }

        var identifier: Identifier
        var kind: Kind
        var pathComponents: [String]
        var declarationFragments: [Fragment]?

        var path: String { pathComponents.joined(separator: ".") }
        /// Members that a type has from an extension of a protocol of another module.
        var isSynthesized: Bool { identifier.precise.contains("::SYNTHESIZED::") }
    }

    struct Relationship: Decodable {
        var kind: String
        var source: String
        var target: String
        var targetFallback: String?
    }

    var symbols: [Symbol]
    var relationships: [Relationship]
}

/// What every copyable type conforms to, without a declaration.
let implied: Set<String> = ["Copyable", "Escapable", "SendableMetatype"]
/// The conformances that a conformance implies.
let implications = [
    "AsyncSequence": [], "BidirectionalCollection": ["Collection", "Sequence"], "Collection": ["Sequence"],
    "Comparable": ["Equatable"], "Error": ["Sendable"],
    "ExpressibleByStringLiteral": [
        "ExpressibleByExtendedGraphemeClusterLiteral", "ExpressibleByUnicodeScalarLiteral",
    ],
    "Hashable": ["Equatable"],
    "OptionSet": ["Equatable", "ExpressibleByArrayLiteral", "RawRepresentable", "SetAlgebra"],
    "RandomAccessCollection": ["BidirectionalCollection", "Collection", "Sequence"],
    "SerialExecutor": ["Executor", "Sendable"], "TaskExecutor": ["Executor", "Sendable"],
]

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: api-digest FOLDER\n".utf8))
    exit(64)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
let graphs = try files.filter { $0.lastPathComponent.hasSuffix(".symbols.json") }.map {
    try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0))
}
let symbols = graphs.flatMap(\.symbols)
let relationships = graphs.flatMap(\.relationships)
let paths = Dictionary(symbols.map { ($0.identifier.precise, $0.path) }) { first, _ in first }
let requirements = Set(relationships.filter { $0.kind == "requirementOf" }.map(\.source))

var conformances: [String: Set<String>] = [:]
for relation in relationships where relation.kind == "conformsTo" || relation.kind == "inheritsFrom" {
    guard let source = paths[relation.source] else { continue }
    let target = relation.targetFallback ?? paths[relation.target] ?? relation.target
    let name = (paths[relation.target] ?? target).split(separator: ".").last.map { String($0) } ?? target
    if !implied.contains(name) { conformances[source, default: []].insert(name) }
}
for (source, names) in conformances {
    conformances[source] = names.subtracting(names.flatMap { implications[$0] ?? [] })
}

var lines: Set<String> = []
for symbol in symbols where !symbol.isSynthesized && symbol.kind.identifier != "swift.extension" {
    let declaration = (symbol.declarationFragments ?? []).map(\.spelling).joined()
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let role = requirements.contains(symbol.identifier.precise) ? "requirement " : ""
    var line = "\(symbol.path): \(role)\(declaration)"
    // A protocol's declaration has them.
    if let names = conformances[symbol.path], symbol.kind.identifier != "swift.protocol" {
        line += " is \(names.sorted().joined(separator: ", "))"
    }
    lines.insert(line)
}
// Types of other modules, whose declarations are not here.
let declared = Set(symbols.filter { $0.kind.identifier != "swift.extension" }.map(\.path))
for (source, names) in conformances where !declared.contains(source) && !names.isEmpty {
    lines.insert("\(source): is \(names.sorted().joined(separator: ", "))")
}
print(lines.sorted().joined(separator: "\n"))
