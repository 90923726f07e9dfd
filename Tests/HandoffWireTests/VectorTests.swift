// SPDX-License-Identifier: Apache-2.0

import HandoffTesting
import Testing

@testable import HandoffWire

/// Compares our encoding with `Protocol/vectors/`, the reference for other implementations.
@Suite struct VectorTests {
    struct Vector: Codable, Equatable {
        var name: String
        var hex: String
    }

    @Test func valuesAreAsTheVectorsSay() throws {
        let values: [(String, Value)] = [
            ("null", .null), ("true", .boolean(true)), ("false", .boolean(false)), ("signed -5", .signed(-5)),
            ("signed, smallest", .signed(.min)), ("unsigned, largest", .unsigned(.max)), ("double 2.5", .double(2.5)),
            ("string \"Grüße\"", .string("Grüße")), ("bytes 00 ff", .bytes([0, 255])),
            ("date 2001-01-01 00:00:01 UTC", .date(1)),
            ("url https://example.com/?a=b#c", .url("https://example.com/?a=b#c")),
            ("uuid 00010203-0405-0607-0809-0a0b0c0d0e0f", .uuid(Array(0..<16))), ("array, empty", .array([])),
            ("array [null, signed 1]", .array([.null, .signed(1)])), ("set, empty", .set([])),
            ("set {signed 1, string \"one\"}, sorted", .set([.string("one"), .signed(1)])),
            ("dictionary, empty", .dictionary([:])),
            (
                "dictionary {string \"b\": signed 2, string \"a\": signed 1, signed 3: null}, sorted by key bytes",
                .dictionary([.string("b"): .signed(2), .string("a"): .signed(1), .signed(3): .null])
            ),
            ("document 0", .document(0)), ("document 15", .document(15)),
            (
                "dictionary {string \"NSUserActivityDocumentURL\": document 1}",
                .dictionary([.string("NSUserActivityDocumentURL"): .document(1)])
            ),
        ]
        let vectors = try check("values.json", values.map { Vector(name: $0.0, hex: try $0.1.encoded().hexadecimal) })
        for (vector, value) in zip(vectors, values) {
            let bytes = try #require([UInt8](hexadecimal: vector.hex))
            #expect(try Value(encoded: bytes) == value.1, "\(vector.name)")
        }
    }

    @Test func peerFramesAreAsTheVectorsSay() throws {
        try checkFrames(
            "peer-frames.json", SampleFrames.peer, encoded: { try $0.encoded() },
            decoded: { try PeerFrame(encoded: $0) })
    }

    @Test func localFramesAreAsTheVectorsSay() throws {
        try checkFrames(
            "local-frames.json", SampleFrames.local, encoded: { try $0.encoded() },
            decoded: { try LocalFrame(encoded: $0) })
    }

    @Test func streamFramesAreAsTheVectorsSay() throws {
        try checkFrames(
            "stream-frames.json", SampleFrames.stream.map { (name: $0.name, frame: $0.message) },
            encoded: { try $0.encoded() }, decoded: { try StreamMessage(encoded: $0) })
    }

    @Test func framesOfDocumentsAreAsTheVectorsSay() throws {
        try checkFrames(
            "documents.json", SampleFrames.document.map { (name: $0.name, frame: $0.message) },
            encoded: { try $0.encoded() }, decoded: { try DocumentMessage(encoded: $0) })
    }

    /// A package's hash is the SHA-256 of its manifest.
    @Test func listsOfDocumentsAreAsTheVectorsSay() throws {
        let chunks = SampleFrames.chunks
        let manifest = SampleFrames.manifest
        let vectors = try check(
            "document-lists.json",
            [
                Vector(name: "chunk list", hex: try chunks.encoded().hexadecimal),
                Vector(name: "package manifest", hex: try manifest.encoded().hexadecimal),
            ])
        let bytes = try vectors.map { try #require([UInt8](hexadecimal: $0.hex)) }
        #expect(try ChunkList(encoded: bytes[0]) == chunks)
        #expect(try PackageManifest(encoded: bytes[1]) == manifest)
    }

    @Test func deviceIdsAreAsTheVectorsSay() throws {
        let ids: [[UInt8]] = [
            Array(repeating: 0, count: 32), Array(repeating: 255, count: 32), Array(0..<32),
        ]
        let vectors = try check(
            "device-ids.json",
            ids.map { Vector(name: try DeviceID(bytes: $0).description, hex: $0.hexadecimal) })
        for vector in vectors {
            #expect(try DeviceID(text: vector.name).hex == vector.hex)
        }
    }

    private func checkFrames<Frame: Equatable>(
        _ file: String, _ samples: [(name: String, frame: Frame)], encoded: (Frame) throws -> [UInt8],
        decoded: (ArraySlice<UInt8>) throws -> Frame
    ) throws {
        let vectors = try check(
            file,
            samples.map {
                Vector(
                    name: $0.name,
                    hex: try FrameHeader.framed(encoded($0.frame), limit: Limits.frameBytes).hexadecimal)
            })
        for (vector, sample) in zip(vectors, samples) {
            let bytes = try #require([UInt8](hexadecimal: vector.hex))
            #expect(try decoded(bytes.dropFirst(FrameHeader.byteCount)) == sample.frame, "\(vector.name)")
        }
    }

    private func check(_ file: String, _ ours: [Vector]) throws -> [Vector] {
        if VectorFile.isWritten { try VectorFile.write(ours, to: file) }
        let vectors = try VectorFile.read(file, as: [Vector].self)
        #expect(vectors == ours, "\(file)")
        return vectors
    }
}
