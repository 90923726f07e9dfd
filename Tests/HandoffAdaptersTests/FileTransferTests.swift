// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HandoffBus
import HandoffWire
import Testing

@testable import HandoffAdapters

final class FileTransferTests {
    private let folder = NSTemporaryDirectory() + "handoff-files-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func sockets() throws -> (SharedDescriptor, SharedDescriptor) {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (SharedDescriptor(taking: ends[0]), SharedDescriptor(taking: ends[1]))
    }

    private func file(_ content: Data) throws -> AbsolutePath {
        try content.write(to: URL(filePath: folder + "/a.pdf"))
        return try AbsolutePath(folder + "/a.pdf")
    }

    private var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }

    // Shows M07.
    @Test func fileArrivesAsACopyThatReplacesNothing() throws {
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let file = try file(content)
        for name in ["a (from desk).pdf", "a (from desk 2).pdf"] {
            let (one, other) = try sockets()
            let sending = Thread {
                _ = FileTransfer.send(file, to: one)
                shutdown(one.number, CInt(SHUT_WR))
            }
            sending.start()
            let path = try FileTransfer.receive(
                Int64(content.count), from: other, as: "a.pdf", of: "desk", in: folder)
            #expect(path == folder + "/" + name)
            #expect(try Data(contentsOf: URL(filePath: path)) == content)
        }
        #expect(try names == ["a (from desk 2).pdf", "a (from desk).pdf", "a.pdf"])
    }

    @Test func emptyFileArrives() throws {
        let file = try file(Data())
        let (one, other) = try sockets()
        #expect(FileTransfer.send(file, to: one) == 0)
        shutdown(one.number, CInt(SHUT_WR))
        let path = try FileTransfer.receive(0, from: other, as: "a.pdf", of: "desk", in: folder)
        #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
    }

    @Test(arguments: [Int64(2), 4])
    func otherNumberOfBytesLeavesNothing(bytes: Int64) throws {
        let (one, other) = try sockets()
        #expect(write(one.number, "abc", 3) == 3)
        shutdown(one.number, CInt(SHUT_WR))
        #expect(throws: BusFailure.self) {
            try FileTransfer.receive(bytes, from: other, as: "a.pdf", of: "desk", in: folder)
        }
        #expect(try names.isEmpty)
    }

    // The user goes on editing after the activity was published.
    @Test func fileIsSentAsItIsNow() throws {
        let file = try file(Data("abc".utf8))
        let (one, other) = try sockets()
        #expect(FileTransfer.send(file, to: one) == 3)
        #expect(FileTransfer.send(try AbsolutePath(folder), to: one) == nil)
        #expect(FileTransfer.send(try AbsolutePath(folder + "/b.pdf"), to: one) == nil)
        withExtendedLifetime(other) {}
    }

    @Test(arguments: [
        ("a.pdf", "desk", 1, "a (from desk).pdf"), ("a.tar.gz", "desk", 2, "a.tar (from desk 2).gz"),
        ("README", "desk", 1, "README (from desk)"), (".profile", "../x", 1, ".profile (from ..x)"),
        ("a.pdf", "", 3, "a (copy 3).pdf"),
    ])
    func copyIsLabelled(name: String, device: String, number: Int, copy: String) {
        #expect(FileTransfer.copyName(of: name, from: device, number: number) == copy)
    }

    @Test func copyOfALongNameStaysValid() {
        let name = FileTransfer.copyName(of: String(repeating: "ü", count: 126) + ".pdf", from: "desk", number: 1)
        #expect(name.utf8.count <= 255)
        #expect(name.hasSuffix(").pdf"))
    }
}
