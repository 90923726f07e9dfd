// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A file of `Protocol/vectors`: the reference for other implementations, and for our tests.
package enum VectorFile {
    /// `HANDOFF_WRITE_VECTORS=1`: the tests rewrite their files, after an intended change.
    package static var isWritten: Bool { ProcessInfo.processInfo.environment["HANDOFF_WRITE_VECTORS"] == "1" }

    package static func read<Content: Decodable>(_ name: String, as type: Content.Type) throws -> Content {
        try JSONDecoder().decode(type, from: Data(contentsOf: url(name)))
    }

    package static func write(_ content: some Encodable, to name: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(content).write(to: url(name))
    }

    private static func url(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Protocol/vectors/\(name)")
    }
}
