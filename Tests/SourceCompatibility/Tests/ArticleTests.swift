// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Holds the articles to code that compiles, and the ledger to symbols that are there.
@Suite struct ArticleTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func files(below path: String, ending: String) throws -> [URL] {
        let folder = root.appending(path: path)
        guard let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { return [] }
        return all.compactMap { $0 as? URL }.filter { $0.path.hasSuffix(ending) }.sorted { $0.path < $1.path }
    }

    /// Without indentation and empty lines.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Each block of Swift in the articles, with the file that it is in.
    private static func snippets() throws -> [(file: String, lines: [String])] {
        let catalogs = try ["Handoff", "HandoffApp", "HandoffGTK", "HandoffTestKit"].flatMap {
            try files(below: "Sources/\($0)/\($0).docc", ending: ".md")
        }
        let articles = catalogs + [root.appending(path: "README.md")]
        return try articles.flatMap { article in
            try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst().map {
                (article.lastPathComponent, lines($0.components(separatedBy: "```")[0]))
            }
        }
    }

    @Test func everySnippetOfTheArticlesIsCompiled() throws {
        let compiled = try Self.files(below: "Tests/SourceCompatibility", ending: ".swift").map {
            Self.lines(try String(contentsOf: $0, encoding: .utf8)).joined(separator: "\n") + "\n"
        }
        let snippets = try Self.snippets()
        #expect(snippets.count > 10)
        for snippet in snippets {
            let text = snippet.lines.joined(separator: "\n") + "\n"
            #expect(compiled.contains { $0.contains(text) }, "\(snippet.file) shows what is compiled nowhere:\n\(text)")
        }
    }

    /// Names in the column "ours" of the ledger, `Type.member` or `function`, with the line that each is in.
    private static func ledger() throws -> [(line: String, names: [String])] {
        let text = try String(contentsOf: root.appending(path: "docs/source-compatibility.md"), encoding: .utf8)
        return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("| `") }.map { line in
            let columns = line.components(separatedBy: " | ")
            let ours = columns.count > 1 ? columns[1] : ""
            return (line, ours.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
        }
    }

    /// A name is there if the second column names ours, or the third says that it is the same or Foundation's.
    @Test func shareThatTheLedgerStatesIsCounted() throws {
        let text = try String(contentsOf: Self.root.appending(path: "docs/source-compatibility.md"), encoding: .utf8)
        let stated = try #require(text.firstMatch(of: /(\d+) of the (\d+) names that this page lists are there/))
        var (there, all) = (0, 0)
        for row in try Self.ledger() {
            let columns = row.line.components(separatedBy: " | ")
            let names = columns[0].components(separatedBy: "`").count / 2
            let difference = columns.count > 2 ? columns[2] : ""
            all += names
            if !row.names.isEmpty || difference.hasPrefix("same") || difference.hasPrefix("Foundation's own") {
                there += names
            }
        }
        #expect(Int(stated.1) == there)
        #expect(Int(stated.2) == all)
    }

    @Test func everySymbolOfTheLedgerIsThere() throws {
        var declared: Set<String> = []
        let declaration =
            /\b(?:func|var|let|class(?!\s+(?:var|func))|struct|enum|extension|protocol|typealias|case)\s+`?(\w+)/
        for file in try Self.files(below: "Sources/Handoff", ending: ".swift")
            + Self.files(below: "Sources/HandoffApp", ending: ".swift")
        {
            for line in Self.lines(try String(contentsOf: file, encoding: .utf8)) where !line.hasPrefix("//") {
                // A case of a public type, and what is declared in a public extension or protocol, has no word of its own.
                for match in line.matches(of: declaration) { declared.insert(String(match.1)) }
                if line.contains("init(") || line.contains("init?(") { declared.insert("init") }
            }
        }
        let rows = try Self.ledger()
        #expect(rows.count > 100)
        for row in rows {
            for name in row.names {
                let parts = name.components(separatedBy: "(")[0].split(separator: ".").map(String.init)
                for part in parts {
                    #expect(declared.contains(part), "the ledger names \(name), and there is no \(part): \(row.line)")
                }
            }
        }
    }
}
