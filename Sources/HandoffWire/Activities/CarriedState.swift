// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

/// An activity's state between devices, and on disk between sending and continuing.
///
/// Without `file:` URLs, because a path names different files on different devices: a file that travels is a
/// `Value.document` in `userInfo`.
package struct CarriedState: Hashable, Sendable {
    private let content: ActivityState
    /// Mentions in `userInfo`, by index.
    package let documents: [UInt32: Int]

    package var type: ActivityType { content.type }
    package var supportsStreams: Bool { content.supportsStreams }

    private enum Source {
        /// Its URLs name files; files with an index travel.
        case app([ExactText: UInt32])
        case device
        /// As `device`, but no files may travel.
        case sender
    }

    /// `file:` URLs in `userInfo` become the document of their index, or null. Throws `.malformed` if `userInfo` is not
    /// a value, or names documents.
    package init(_ state: ActivityState, naming indices: [ExactText: UInt32] = [:]) throws(WireError) {
        try self.init(state, from: .app(indices))
    }

    /// `file:` URLs in `userInfo` become null.
    init(_ message: PBActivityState) throws(WireError) { try self.init(try ActivityState(message), from: .device) }

    /// Throws `.malformed` if `userInfo` names a file.
    init(sent message: PBActivityState) throws(WireError) {
        try self.init(try ActivityState(message), from: .sender)
    }

    private init(_ state: ActivityState, from source: Source) throws(WireError) {
        var state = state
        var named = Named()
        if !state.userInfo.isEmpty {
            let root = try Value(encoded: state.userInfo)
            named = Named(in: root)
            var indices: [ExactText: UInt32] = [:]
            switch source {
            case .app(let given):
                guard named.documents.isEmpty else {
                    throw WireError(.malformed, "userInfo names a document; only devices may do that")
                }
                indices = given
            case .device: break
            case .sender:
                guard named == Named() else {
                    throw WireError(.malformed, "an activity that is sent cannot name files")
                }
            }
            if named.hasFileURL {
                let replaced = root.replacingFileURLs(by: indices)
                state.userInfo = try replaced.encoded()
                named = Named(in: replaced)
            }
        }
        if let referrer = state.referrerURL, FileURL.mayBeOne(referrer) { state.referrerURL = nil }
        state.contentAttributes = ContentAttributes.withoutFiles(state.contentAttributes)
        content = state
        documents = named.documents
    }

    /// Documents become their URLs in `urls`, or null. Throws `.tooLarge` before it allocates.
    package func delivered(with urls: [UInt32: String] = [:]) throws(WireError) -> ActivityState {
        guard !documents.isEmpty else { return content }
        var bytes = content.userInfo.count
        for (index, times) in documents { bytes += times * (urls[index]?.utf8.count ?? 0) }
        guard bytes <= Limits.userInfoBytes else {
            throw WireError(
                .tooLarge, "\(bytes) bytes with the paths of its documents, at most \(Limits.userInfoBytes)")
        }
        var state = content
        state.userInfo = try Value(encoded: content.userInfo).mapped { value in
            guard case .document(let index) = value else { return value }
            return urls[index].map { .url($0) } ?? .null
        }.encoded()
        return state
    }

    var message: PBActivityState { PBActivityState(content) }
}

private struct Named: Equatable {
    var hasFileURL = false
    var documents: [UInt32: Int] = [:]

    init() {}

    init(in root: Value) {
        var (hasFileURL, documents) = (false, [UInt32: Int]())
        root.visit { value in
            if case .document(let index) = value { documents[index, default: 0] += 1 }
            if value.isFileURL { hasFileURL = true }
        }
        (self.hasFileURL, self.documents) = (hasFileURL, documents)
    }
}

extension Value {
    fileprivate func replacingFileURLs(by indices: [ExactText: UInt32]) -> Value {
        mapped { value in
            guard value.isFileURL, case .url(let text) = value else { return value }
            return indices[text].map { .document($0) } ?? .null
        }
    }
}

extension ContentAttributes {
    fileprivate static func withoutFiles(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        guard var attributes = try? ContentAttributes(encoded: bytes) else { return [] }
        let kept = attributes.entries.filter { Named(in: $0.value) == Named() }
        guard kept.count < attributes.entries.count else { return bytes }
        attributes.entries = kept
        return attributes.encoded()
    }
}
