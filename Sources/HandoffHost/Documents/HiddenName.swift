// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// The name of a file or folder before it takes its place, or while another replaces it: `.handoff-`, 32 digits, and
/// `-aside` for a package that was moved aside.
struct HiddenName: Hashable, Sendable {
    private static let aside = "-aside"

    let id: VersionID
    /// A package has this name while its own is briefly free, if two names cannot be swapped.
    let isAside: Bool

    init(_ id: VersionID, isAside: Bool = false) {
        self.id = id
        self.isAside = isAside
    }

    /// Nil for every other name, even with the same prefix, because users have such files.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: DocumentPath.reservedPrefix) else { return nil }
        self.init(text: String(decoding: bytes.dropFirst(DocumentPath.reservedPrefix.count), as: UTF8.self))
        guard self.bytes == bytes else { return nil }
    }

    init?(text: String) {
        let isAside = text.hasSuffix(Self.aside)
        guard let id = try? VersionID(hex: String(text.dropLast(isAside ? Self.aside.count : 0))) else { return nil }
        self.init(id, isAside: isAside)
        guard self.text == text else { return nil }
    }

    var text: String { id.hex + (isAside ? Self.aside : "") }
    var bytes: [UInt8] { DocumentPath.reservedPrefix + Array(text.utf8) }
}
