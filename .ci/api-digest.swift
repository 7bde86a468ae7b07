// Reduces the symbol graphs of a module to a text that can be compared: a line for each public declaration
// and each conformance, sorted.
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
let implied: Set<String> = ["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"]

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

var lines: Set<String> = []
for symbol in symbols where !symbol.isSynthesized && symbol.kind.identifier != "swift.extension" {
    let declaration = (symbol.declarationFragments ?? []).map(\.spelling).joined()
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let role = requirements.contains(symbol.identifier.precise) ? "requirement " : ""
    lines.insert("\(symbol.path): \(role)\(declaration)")
}
for relation in relationships where relation.kind == "conformsTo" || relation.kind == "inheritsFrom" {
    guard let source = paths[relation.source] else { continue }
    let target = relation.targetFallback ?? paths[relation.target] ?? relation.target
    if !implied.contains(target) { lines.insert("\(source): is a \(paths[relation.target] ?? target)") }
}
print(lines.sorted().joined(separator: "\n"))
