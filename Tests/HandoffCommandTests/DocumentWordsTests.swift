// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import HandoffCommand

@Suite struct DocumentWordsTests {
    private static let terminal = Terminal(isTerminal: true, columns: 100)
    private static let continuation = ContinuationID(uncheckedBytes: Array(repeating: 1, count: 16))
    private static let letter = try! AbsolutePath("/home/anna/Letters/Dear Bob.txt")
    private static let link = try! AbsolutePath("/tmp/letters/Dear Bob.txt")

    // MARK: Progress

    private func progress(
        _ step: DocumentStep, bytes: UInt64 = 0, of total: UInt64? = nil, rate: UInt64? = nil, silent: UInt32 = 0
    ) -> DocumentProgress {
        DocumentProgress(
            continuation: Self.continuation, name: DisplayText(cleaning: "letter.txt"), bytes: bytes, total: total,
            bytesPerSecond: rate, secondsSilent: silent, step: step)
    }

    @Test func theLineSaysBytesRateAndTimeLeft() {
        let line = progress(.receiving, bytes: 200_000_000, of: 1_000_000_000, rate: 50_000_000).line(columns: 110)
        #expect(
            line
                == "receiving letter.txt  [########--------------------------------]  20 %  200 MB of 1.0 GB  50.0 MB/s  16 s left"
        )
        #expect(progress(.receiving, bytes: 812).line(columns: 80) == "receiving letter.txt  812 B")
    }

    @Test func theLineSaysWhatIsWaitedFor() {
        #expect(progress(.looking).line(columns: 80) == "looking at letter.txt")
        #expect(progress(.askingApp).line(columns: 80) == "waiting for the app here to save letter.txt")
        #expect(progress(.placing).line(columns: 80) == "putting letter.txt in place")
        #expect(
            progress(.receiving, bytes: 1000, of: 2000, rate: 500, silent: 12).line(columns: 80)
                == "receiving letter.txt  1.0 kB  the other device is silent for 12 s")
        // A short pause is not reported as silence.
        #expect(!progress(.receiving, bytes: 1000, rate: 500, silent: 1).line(columns: 80).contains("silent"))
    }

    @Test func theLineIsNeverLongerThanTheTerminal() {
        for step in DocumentStep.allCases {
            for columns in 0...100 {
                let line = progress(step, bytes: .max, of: .max, rate: .max, silent: .max).line(columns: columns)
                #expect(line.width <= columns)
            }
        }
    }

    // MARK: Outcome

    private func outcome(_ documents: DeliveredDocument...) throws -> ShownOutcome {
        let outcome = ContinuationOutcome(
            continuation: Self.continuation, phases: [PhaseTime(.documents, .milliseconds(12))],
            how: .app(try BundleID("com.example.letters")), targetName: DisplayText(cleaning: "Letters"),
            documents: documents)
        return try ShownOutcome(outcome, planned: .app(try BundleID("com.example.letters")))
    }

    @Test func outcomeHasALineForEachDocument() throws {
        let copy = try AbsolutePath("/home/anna/Letters/Dear Bob (desktop, 2026-11-22 15.14).txt")
        var outcome = try outcome(
            DeliveredDocument(url: "file:///home/anna/Letters/Dear%20Bob.txt", fate: .same, path: Self.letter),
            DeliveredDocument(
                url: "file:///home/anna/Letters/Dear%20Bob.txt", fate: .conflict, path: Self.letter, keptCopy: copy),
            DeliveredDocument(
                url: "file:///srv/post/old.txt", fate: .notTakenAlong, path: nil, note: "the app did not give it"))
        let lines = { (outcome: ShownOutcome) in outcome.text(Self.terminal).split(separator: "\n").map(String.init) }
        let shown = lines(outcome)
        outcome.isVerbose = true
        #expect(lines(outcome).filter { !shown.contains($0) } == ["documents 12.0 ms; 12.0 ms in all"])
        #expect(
            shown == [
                "continued in Letters", "Dear Bob.txt was already here",
                "Dear Bob.txt was changed on both devices; the other device's version now has its name; "
                    + "the version that was here is kept as Dear Bob (desktop, 2026-11-22 15.14).txt",
                "old.txt was not received: the app did not give it",
            ])
    }

    // Shows L08.
    @Test func copyIsDescribedOnceAsStayingHere() {
        let note = "It is not in a folder that both devices share."
        let copy = DeliveredDocument(url: "file:///srv/old.txt", fate: .copy, path: Self.letter, note: note)
        #expect(ShownDocument(copy).line == "Dear Bob.txt came as a copy: changes stay here. " + note)
    }

    @Test func everyFateHasItsWordsAndItsNameInTheDocuments() throws {
        let manual = try String(contentsOf: Self.checkout.appending(path: "docs/cli.md"), encoding: .utf8)
        var lines: Set<String> = []
        for fate in DocumentFate.allCases {
            let document = ShownDocument(DeliveredDocument(url: "file:///a", fate: fate, path: Self.letter))
            #expect(manual.contains("`\(document.fate)`"), "\(fate)")
            lines.insert(document.line)
        }
        #expect(lines.count == DocumentFate.allCases.count)
    }

    @Test func inJSONADocumentHasItsFateAndItsPlace() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let document = DeliveredDocument(url: "file:///a", fate: .newerHere, path: Self.letter)
        #expect(
            String(decoding: try encoder.encode(ShownDocument(document)), as: UTF8.self) == """
                {"fate":"newerHere","name":"Dear Bob.txt","path":"/home/anna/Letters/Dear Bob.txt","url":"file:///a"}
                """)
        #expect(try String(decoding: encoder.encode(outcome()), as: UTF8.self).contains("documents\":[") == false)
        #expect(try String(decoding: encoder.encode(outcome(document)), as: UTF8.self).contains("\"documents\":[{"))
    }

    private static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    // MARK: Kept versions

    private func version(_ hex: String, _ path: AbsolutePath = letter, kept: Int64 = 1_772_366_400_000) -> KeptVersion {
        let id = VersionID(uncheckedBytes: Array(repeating: UInt8(hex, radix: 16) ?? 0, count: 16))
        return KeptVersion(
            id: id, path: path, file: path, size: 4_200, modified: FileTime(nanoseconds: 1_772_366_000_000_000_000),
            kept: WallTime(milliseconds: kept), deviceName: DisplayText(cleaning: "desktop"))
    }

    @Test func aVersionIsMeantByTheBeginningOfItsID() throws {
        let versions = [version("ab"), version("cd")]
        #expect(try VersionChoice("C").choose(from: versions) == versions[1])
        #expect(try VersionChoice("abab").choose(from: versions) == versions[0])
        let failure = #expect(throws: CommandFailure.self) {
            try VersionChoice("a").choose(from: [version("ab"), version("ac")])
        }
        #expect(failure?.status == .usage)
        #expect(failure?.reason == "several versions have an ID that begins with a; give more of it")
    }

    @Test func aPathMeansItsNewestVersion() throws {
        let versions = [version("ab"), version("cd")]
        #expect(try VersionChoice(Self.letter.text).choose(from: versions) == versions[0])
        let failure = #expect(throws: CommandFailure.self) { try VersionChoice("/none").choose(from: versions) }
        #expect(failure?.code == "documentGone" && failure?.reason == "no version is kept of /none")
        #expect(failure?.advice == "run: handoff document versions")
    }

    /// A file name that looks like an ID.
    @Test func versionIDTakesPrecedenceOverAPath() throws {
        let abab = try AbsolutePath(document: "abab")
        let versions = [version("cd", abab), version("ab")]
        #expect(try VersionChoice("abab").choose(from: versions) == versions[1])
        #expect(try VersionChoice("./abab").choose(from: versions) == versions[0])
        #expect(try VersionChoice("abab").choose(from: [versions[0]]) == versions[0])
    }

    @Test func restoringNamesTheReplacedVersion() throws {
        #expect(
            ShownRestoring(version("ab"), in: version("cd")).text(Self.terminal)
                == "restored /home/anna/Letters/Dear Bob.txt, as it was before \(version("ab").kept.local)\n"
                + "the version that was there is kept; to restore it: handoff document restore cdcdcdcd")
        #expect(!ShownRestoring(version("ab"), in: nil).text(Self.terminal).contains("\n"))
    }

    @Test func aVersionIsListedWithItsSizeAndWhoseTookItsPlace() {
        let shown = ShownVersion(version("ab"))
        #expect(shown.cells == ["abababab", version("ab").kept.local, "desktop", "4.2 kB", Self.letter.text])
        #expect(shown.modified == "2026-03-01T11:53:20Z" && shown.replaced == "2026-03-01T12:00:00Z")
    }

    // MARK: Folders

    private func folder(_ problem: String? = nil, isShared: Bool = false, fileSystem: String? = "ext4")
        -> ContainerFolder
    {
        ContainerFolder(
            container: try! ContainerID("iCloud.com.example.letters"), path: Self.letter, isMapped: true,
            teamName: DisplayText(cleaning: "Example"), problem: problem, fileSystem: fileSystem,
            isSharedStorage: isShared)
    }

    @Test func aFoldersStateIsItsProblemOrThatOthersHaveItToo() {
        #expect(CheckedFolder(folder()).state == "good")
        #expect(CheckedFolder(folder("it is full", isShared: true)).state == "it is full")
        #expect(CheckedFolder(folder(isShared: true)).state.hasPrefix("shared with other machines: "))
        #expect(CheckedFolder(folder(fileSystem: nil)).state == "created when an app first uses it")
    }

    @Test func mappingNamesTheFilesThatStay() {
        let lines = ShownMapping(folder(isShared: true), former: Self.link).text(Self.terminal)
            .split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1] == "the documents in /tmp/letters/Dear Bob.txt stay there; move them yourself")
        #expect(lines[2].hasPrefix("shared with other machines"))
        #expect(!ShownMapping(folder(), former: Self.letter).text(Self.terminal).contains("stays there"))
    }
}
