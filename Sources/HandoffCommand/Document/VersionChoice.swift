// SPDX-License-Identifier: Apache-2.0

internal import HandoffHost
internal import HandoffSystem
internal import HandoffWire

struct VersionChoice {
    private let text: String

    init(_ text: String) { self.text = text }

    /// Newest first.
    func choose(from versions: [KeptVersion]) throws(CommandFailure) -> KeptVersion {
        let mayBeID = !text.isEmpty && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        if mayBeID {
            let found = versions.filter { $0.id.hex.hasPrefix(text.lowercased()) }
            guard found.count <= 1 else {
                throw .usage("several versions have an ID that begins with \(text); give more of it")
            }
            if let version = found.first { return version }
        }
        let path = try AbsolutePath(document: text)
        if let version = versions.first(where: { $0.path == path }) { return version }
        throw CommandFailure(
            .failed, code: "documentGone",
            mayBeID
                ? "no version has an ID that begins with \(text), and none is kept of a document \(path)"
                : "no version is kept of \(path)",
            advice: "run: handoff document versions")
    }
}

extension AbsolutePath {
    /// Relative to the current folder.
    init(argument text: String) throws(CommandFailure) {
        let path = text.hasPrefix("/") ? text : (".".followingLinks ?? "/") + "/" + text
        do throws(WireError) {
            guard !text.isEmpty else { throw WireError(.badIdentifier, "the path is empty") }
            try self.init(path)
        } catch {
            throw .usage(error.reason)
        }
    }

    /// Follows links, by which documents are identified. The document need not exist.
    init(document text: String) throws(CommandFailure) { self = try AbsolutePath(argument: text).followingLinks }
}
