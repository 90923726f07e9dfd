// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Unknown services and keys are ignored.
package struct SiteAssociation: Hashable, Sendable {
    /// An unusable section does not affect the others.
    enum Section<Content: Hashable & Sendable>: Hashable, Sendable {
        case absent
        case unusable(String)
        case read(Content)
    }

    /// Nil for null.
    let continuingApps: Section<[ExactText?]>
    let appLinks: Section<AppLinks>

    /// `file`: signed or plain. `roots`: trusted, in DER; they and `time` are for signed files.
    package init(
        file: [UInt8], from host: WebHost, roots: [[UInt8]], at time: WallTime
    ) throws(AssociationRejection) {
        guard Self.isSigned(file), file.count <= Limits.associationBytes else {
            try self.init(json: file)
            return
        }
        try self.init(json: try SignedAssociation.content(of: file, from: host, roots: roots, at: time))
    }

    /// JSON never begins like DER.
    package static func isSigned(_ file: [UInt8]) -> Bool { file.first == 0x30 }

    private static func tree(in text: [UInt8]) throws(AssociationRejection) -> JSONTree {
        do throws(JSONSlip) {
            return try JSONReader.read(text)
        } catch {
            switch error.code {
            case .notUTF8: throw AssociationRejection(.notUTF8, error.description)
            case .notJSON: throw AssociationRejection(.notJSON, error.description)
            case .nestingTooDeep: throw AssociationRejection(.nestingTooDeep, error.description)
            }
        }
    }

    /// Skips a UTF-8 byte order mark (RFC 8259, section 8.1).
    package init(json: [UInt8]) throws(AssociationRejection) {
        let tree = try Self.tree(in: try Self.text(of: json))
        switch tree {
        case .object: break
        // Within a service, it affects only that service.
        case .ambiguous(let slip): throw AssociationRejection(.duplicateKey, slip)
        default:
            throw AssociationRejection(
                .notAnObject, "the file is JSON, but not an object: {\"activitycontinuation\": …}")
        }
        continuingApps = Self.section(tree["activitycontinuation"]) { tree throws(Unusable) in
            _ = try tree.object("activitycontinuation")
            return try tree.value(for: "apps")?.names("activitycontinuation.apps") ?? []
        }
        appLinks = Self.section(tree["applinks"]) { tree throws(Unusable) in
            try AppLinks(tree)
        }
    }

    private static func section<Content>(
        _ tree: JSONTree?, _ read: (JSONTree) throws(Unusable) -> Content
    ) -> Section<Content> {
        guard let tree else { return .absent }
        do throws(Unusable) {
            return .read(try read(tree))
        } catch {
            return .unusable(DisplayText(cleaning: error.reason, limit: Limits.reasonCharacters).text)
        }
    }

    private static func text(of file: [UInt8]) throws(AssociationRejection) -> [UInt8] {
        guard file.count <= Limits.associationBytes else {
            throw AssociationRejection(.tooLarge, "the file is larger than \(Limits.associationBytes) bytes")
        }
        let text = file.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(file.dropFirst(3)) : file
        guard let first = text.first(where: { !" \t\r\n".utf8.contains($0) }) else {
            throw AssociationRejection(.empty, "the file is empty")
        }
        if file.starts(with: [0x1F, 0x8B]) {
            throw AssociationRejection(
                .compressed, "the file is compressed with gzip, but the server does not declare that (Content-Encoding)"
            )
        }
        if file.starts(with: [0xFE, 0xFF]) || file.starts(with: [0xFF, 0xFE]) {
            throw AssociationRejection(.notUTF8, "the file is UTF-16; it must be UTF-8")
        }
        if first == UInt8(ascii: "<") {
            throw AssociationRejection(.html, "the file is a web page (HTML or XML), not JSON")
        }
        if text.starts(with: "-----BEGIN".utf8) {
            throw AssociationRejection(
                .notCMS, "the file is PEM; a signed file must be DER (openssl smime -outform DER)")
        }
        return text
    }
}
