// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import HandoffCommand

@Suite struct StreamArgumentTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/handoff-stream-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
        folder = String(cString: made)
    }

    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? CommandFailure)?.code
        }
    }

    @Test func aFileIsReadFromItsBeginningForEachDevice() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("photo".utf8).write(to: URL(fileURLWithPath: folder + "/photo"))
        let source = try StreamSource(argument: folder + "/photo")
        #expect(try source.byteCount() == 5)
        for _ in 1...2 {
            let opened = try source.open()
            var bytes = [UInt8](repeating: 0, count: 16)
            #expect(try bytes.withUnsafeMutableBytes { try opened.read(into: $0) } == 5)
            #expect(bytes.prefix(5) == Array("photo".utf8)[...])
            #expect(try bytes.withUnsafeMutableBytes { try opened.read(into: $0) } == 0)
        }
        try Data("larger photo".utf8).write(to: URL(fileURLWithPath: folder + "/photo"))
        #expect(try source.byteCount() == 12)
    }

    @Test func onlyFilesAreAcceptedAsStreamSources() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(code { _ = try StreamSource(argument: folder) } == "usage")
        #expect(code { _ = try StreamSource(argument: folder + "/missing") } == "notReadable")
        // Opening a pipe without a writer must not block.
        mkfifo(folder + "/pipe", 0o600)
        #expect(code { _ = try StreamSource(argument: folder + "/pipe") } == "usage")
    }

    @Test func theSizeIsSentInTheUserInfo() throws {
        let info = StreamSize.add(1_000_000_000_000, to: .dictionary([.string("page"): .signed(1)]))
        #expect(StreamSize.isSaid(in: info))
        #expect(StreamSize.said(in: try state(info)) == 1_000_000_000_000)
        #expect(StreamSize.said(in: try state(.dictionary([.string("streamBytes"): .unsigned(7)]))) == 7)
    }

    @Test func malformedSizesAreIgnored() throws {
        let nonsense: [Value] = [.signed(-1), .unsigned(.max), .double(7), .string("7"), .null, .boolean(true)]
        for value in nonsense {
            #expect(StreamSize.said(in: try state(.dictionary([.string("streamBytes"): value]))) == nil)
        }
        #expect(StreamSize.said(in: try state(.dictionary([:]))) == nil)
        #expect(StreamSize.said(in: try state(.array([]))) == nil)
        let type = try ActivityType("org.example.folder")
        #expect(StreamSize.said(in: ActivityState(type: type)) == nil)
        #expect(StreamSize.said(in: ActivityState(type: type, userInfo: [255, 255])) == nil)
    }

    private func state(_ info: Value) throws -> ActivityState {
        ActivityState(type: try ActivityType("org.example.folder"), userInfo: try info.encoded())
    }
}
