// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffHost
import HandoffSystem
import HandoffTrust
import HandoffWire
import Testing

/// Documents are put in place repeatedly, in a process that is killed at the same time. Shows B17.
@Suite struct DocumentKillTests {
    /// Kills of each kind, in memory and on disk.
    private static let kills = 6

    @Test(arguments: ["/dev/shm", "/tmp"]) func aFileIsWholeWheneverTheDaemonIsKilled(folder: String) async throws {
        try await kill(.file, in: folder)
    }

    @Test(arguments: ["/dev/shm", "/tmp"]) func aPackageIsWholeWheneverTheDaemonIsKilled(folder: String) async throws {
        try await kill(.package, in: folder)
    }

    private func kill(_ kind: DocumentKind, in parent: String) async throws {
        var template = Array("\(parent)/handoff-kill-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try #require(mkdir(folder + "/Documents", 0o700) == 0)
        var before = 0
        for _ in 0..<Self.kills {
            // Long enough for some documents, and at any step.
            let microseconds = UInt32.random(in: 0..<60_000)
            let isFile = kind == .file
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [folder = folder as String, microseconds = microseconds as UInt32, isFile = isFile as Bool] in
                var fixture = try KilledDocument(folder, isFile ? .file : .package)
                try fixture.placeNext()
                DetachedThread.start {
                    usleep(microseconds)
                    Glibc.kill(getpid(), SIGKILL)
                }
                while true { try fixture.placeNext() }
            }
            let fixture = try KilledDocument(folder, kind)
            let number = try #require(try fixture.numberInPlace(), "\(microseconds) µs: it is torn")
            #expect(number > before, "\(microseconds) µs")
            #expect(try fixture.numbersKept().isSuperset(of: 1..<number), "\(microseconds) µs: not all is kept")
            try fixture.tidyUp()
            #expect(fixture.leftovers() == [], "\(microseconds) µs")
            before = number
        }
    }
}

/// A document that contains a number, in a folder that an earlier process may have left after being killed.
private struct KilledDocument {
    private let files: DirectoryDocumentFiles
    private let folder: String
    private let kind: DocumentKind
    private let place: DocumentLocation
    private var number = 0

    init(_ folder: String, _ kind: DocumentKind) throws {
        self.folder = folder
        self.kind = kind
        place = .container(folder: try AbsolutePath(folder + "/Documents"), try DocumentPath("letter"))
        files = try DirectoryDocumentFiles(
            state: folder + "/state", received: folder + "/received",
            now: { WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000) + 120_000) },
            openFile: { _ throws(Failure) in throw Failure(.documentGone, "") })
        number = try numberInPlace() ?? 0
    }

    /// More than one page, with the number from the beginning to the end.
    private static func content(_ number: Int) -> [UInt8] { Array(String(repeating: "\(number) ", count: 4000).utf8) }

    private static func number(in bytes: [UInt8]) -> Int? {
        guard let first = bytes.split(separator: UInt8(ascii: " ")).first,
            let number = Int(String(decoding: first, as: UTF8.self)), content(number) == bytes
        else { return nil }
        return number
    }

    mutating func placeNext() throws {
        number += 1
        let bytes = Self.content(number)
        let arrival: any DocumentArrival
        if kind == .file {
            arrival = try files.begin(.whole(size: UInt64(bytes.count)), for: place, basis: [], left: nil)
        } else {
            let page = PackageManifest.Content.file(
                size: UInt64(bytes.count), hash: FileDigest(of: bytes), isExecutable: false)
            let manifest = try PackageManifest([
                .init(DocumentPath("pages"), .folder), .init(DocumentPath("pages/1"), page),
                .init(DocumentPath("pages/2"), page), .init(DocumentPath("index"), page),
            ])
            arrival = try files.begin(.members(manifest), for: place, basis: [], left: nil)
        }
        try arrival.append(bytes)
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: Int64(number) * 1_000_000_000), mode: 0o755)
        var replaces: FileVersion?
        if case .found(let found) = try files.look(at: place, asPackage: kind == .package, hashing: 0) {
            replaces = found.version
        }
        var randomness = SystemRandomNumberGenerator()
        let outcome = try arrival.place(
            PlacementOrder(
                place: place, replaces: replaces, version: .random(using: &randomness),
                now: WallTime(milliseconds: Int64(number)), deviceName: DisplayText(cleaning: "laptop")))
        guard case .placed = outcome else { throw Failure(.internal, "nobody else writes here") }
    }

    /// Nil if the document is missing or damaged.
    func numberInPlace() throws -> Int? { number(at: folder + "/Documents/letter") }

    private func number(at path: String) -> Int? {
        let files = kind == .file ? [""] : ["/index", "/pages/1", "/pages/2"]
        let numbers = files.map { file in
            (try? Data(contentsOf: URL(fileURLWithPath: path + file))).flatMap { Self.number(in: Array($0)) }
        }
        return Set(numbers).count == 1 ? numbers[0] : nil
    }

    func numbersKept() throws -> Set<Int> {
        Set(try files.versions().compactMap { number(at: $0.file.text) })
    }

    /// Like the next use of the folder, some time later.
    func tidyUp() throws {
        let other = DocumentLocation.container(
            folder: try AbsolutePath(folder + "/Documents"), try DocumentPath("other"))
        try files.begin(.whole(size: 0), for: other, basis: [], left: nil).discard()
        guard files.removeExpired(at: WallTime(milliseconds: 0)).isEmpty else {
            throw Failure(.internal, "something is left")
        }
    }

    /// Hidden names, and versions without a record.
    func leftovers() -> [String] {
        func names(_ path: String) -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
        let versions = names(folder + "/state/versions")
        return names(folder + "/Documents").filter { $0 != "letter" } + names(folder + "/state/arriving")
            + versions.filter { !names("\(folder)/state/versions/\($0)").contains("record") }
    }
}
