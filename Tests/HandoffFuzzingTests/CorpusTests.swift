// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffFuzzing
import Testing

// Shows X08.

/// Replays the inputs that libFuzzer kept with the current parsers. `make fuzz` searches for more.
/// Serialized, because the parsers of bundles share a folder.
@Suite(.serialized) struct CorpusTests {
    @Test(arguments: FuzzedParser.all.map(\.name)) func parserTakesWhatItShould(_ name: String) throws {
        let parser = try #require(FuzzedParser.all.first { $0.name == name })
        let seeds = try #require(try Seeds().all[name], "no seeds for \(name)")
        for (number, seed) in seeds.enumerated() {
            #expect(try parser.check(seed) == .taken, "seed \(number) of \(name)")
        }
        if ProcessInfo.processInfo.environment["HANDOFF_WRITE_SEEDS"] == "1" { try write(seeds, of: name) }
    }

    /// Each input reaches code that no other input does.
    @Test(arguments: FuzzedParser.all.map(\.name)) func parserKeepsItsPromisesOnItsCorpus(_ name: String) throws {
        let verdicts = try run(name, from: "Corpus")
        #expect(!verdicts.isEmpty, "Fuzz/Corpus/\(name) is empty")
        #expect(verdicts.contains(.taken), "nothing in Fuzz/Corpus/\(name) is taken: it shows little")
    }

    /// Inputs that once broke a promise.
    @Test(arguments: FuzzedParser.all.map(\.name)) func keptFailuresNoLongerBreakPromises(_ name: String) throws {
        _ = try run(name, from: "Kept")
    }

    @Test func noFolderIsWithoutAParser() throws {
        let names = Set(FuzzedParser.all.map(\.name))
        for folder in ["Corpus", "Kept"] {
            #expect(
                Set(Self.contents(of: Self.home.appending(path: folder)).map(\.lastPathComponent)).isSubset(of: names))
        }
    }

    private static let home = Seeds.repository.appending(path: "Fuzz")

    private static func contents(of folder: URL) -> [URL] {
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }

    private func run(_ name: String, from folder: String) throws -> [FuzzedParser.Verdict] {
        let parser = try #require(FuzzedParser.all.first { $0.name == name })
        return Self.contents(of: Self.home.appending(path: "\(folder)/\(name)")).map { file in
            do {
                return try parser.check(Array(Data(contentsOf: file)))
            } catch {
                Issue.record("\(folder)/\(name)/\(file.lastPathComponent): \(error)")
                return .refused
            }
        }
    }

    private func write(_ seeds: [[UInt8]], of name: String) throws {
        let folder = Self.home.appending(path: "Corpus/\(name)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (number, seed) in seeds.enumerated() {
            try Data(seed).write(to: folder.appending(path: "seed-\(number)"))
        }
    }
}
