// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// Checks that the articles' code is compiled and that the ledger's symbols exist.
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

    /// The Swift code blocks of the articles, with their files.
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

    // MARK: A minimal package

    /// A target in the manifest.
    private struct Target {
        let name: String
        /// Its dependencies within the package.
        let targets: [String]
        /// Product and package.
        let products: [[String]]

        init?(_ described: [String: Any]) {
            guard let name = described["name"] as? String,
                let dependencies = described["dependencies"] as? [[String: [Any]]]
            else { return nil }
            self.name = name
            targets = dependencies.compactMap { $0["byName"]?.first as? String }
            products = dependencies.compactMap { $0["product"]?.prefix(2).compactMap { $0 as? String } }
        }
    }

    private static func targets(of manifest: String) async throws -> [Target] {
        let folder = try Folder()
        try Data(manifest.utf8).write(to: folder.url.appending(path: "Package.swift"))
        let swift = try Program(
            ["/usr/bin/env", "swift", "package", "--package-path", folder.url.path, "dump-package"],
            environment: ProcessInfo.processInfo.environment.filter { ["HOME", "PATH", "TMPDIR"].contains($0.key) })
        let status = await swift.end(.seconds(60))
        try #require(status == 0, "\(swift.errors)")
        let read = try JSONSerialization.jsonObject(with: Data(swift.output.utf8)) as? [String: Any]
        return try #require(read?["targets"] as? [[String: Any]]).compactMap(Target.init)
    }

    @Test(arguments: ["README.md", "Sources/HandoffApp/HandoffApp.docc/FirstActivity.md"])
    func swiftReadsThePackageOfTheFirstApp(_ article: String) async throws {
        let text = try String(contentsOf: Self.root.appending(path: article), encoding: .utf8)
        let blocks = text.components(separatedBy: "```\n")
        let manifest = try #require(blocks.first { $0.hasPrefix("// swift-tools-version") })
        let targets = try await Self.targets(of: manifest)
        let app = try #require(targets.first)
        #expect(app.name == "Hello")
        #expect(app.products == [["HandoffApp", "handoff"]])
        #expect(text.contains("Sources/Hello/Hello.swift"))
    }

    /// Keeps a first build short.
    @Test func appBuildsNoOtherPackageThanProtobuf() async throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        let targets = try await Self.targets(of: manifest)
        var needed: Set<String> = []
        var products: Set<[String]> = []
        var next = ["HandoffApp"]
        while let name = next.popLast() {
            guard needed.insert(name).inserted, let target = targets.first(where: { $0.name == name }) else { continue }
            products.formUnion(target.products)
            next += target.targets
        }
        #expect(needed.contains("HandoffWire"))
        #expect(products == [["SwiftProtobuf", "swift-protobuf"]])
    }

    /// The names in the ledger's column "ours", `Type.member` or `function`, with their lines.
    private static func ledger() throws -> [(line: String, names: [String])] {
        let text = try String(contentsOf: root.appending(path: "docs/source-compatibility.md"), encoding: .utf8)
        return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("| `") }.map { line in
            let columns = line.components(separatedBy: " | ")
            let ours = columns.count > 1 ? columns[1] : ""
            return (line, ours.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
        }
    }

    /// A name exists here if the second column has it, or if the third says that it is the same or Foundation's.
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

    /// No name may be ambiguous next to another module of an app.
    @Test func everyPublicNameIsOneOfApplesOrBearsOurs() throws {
        let declaration =
            /^(?:@\S+ )*(?:public|open) (?:final |indirect )?(?:class|struct|enum|protocol|actor|typealias|let|var|func|macro) `?(\w+)/
        let unmistakable = /^(?:NS|UI|UN|WK|CS|IN|UT|kUT)[A-Z]|^URLUbiquitous|^Handoff|^GLib|GTK/
        var count = 0
        for library in ["Handoff", "HandoffApp", "HandoffGTK", "HandoffGTKCalls", "HandoffTestKit"] {
            for file in try Self.files(below: "Sources/\(library)", ending: ".swift") {
                let text = try String(contentsOf: file, encoding: .utf8)
                // Unindented lines are at the top level.
                for line in text.split(separator: "\n") {
                    guard let name = line.firstMatch(of: declaration)?.1 else { continue }
                    count += 1
                    let isUnmistakable = name.contains(unmistakable)
                    #expect(isUnmistakable, "\(file.lastPathComponent) has a public \(name), as other modules may")
                }
            }
        }
        #expect(count > 100)
    }

    @Test func everySymbolOfTheLedgerIsThere() throws {
        var declared: Set<String> = []
        let declaration =
            /\b(?:func|var|let|class(?!\s+(?:var|func))|struct|enum|extension|protocol|typealias|case)\s+`?(\w+)/
        for file in try Self.files(below: "Sources/Handoff", ending: ".swift")
            + Self.files(below: "Sources/HandoffApp", ending: ".swift")
        {
            for line in Self.lines(try String(contentsOf: file, encoding: .utf8)) where !line.hasPrefix("//") {
                // Cases of a public type, and declarations in a public extension or protocol, have no `public` of their
                // own.
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
