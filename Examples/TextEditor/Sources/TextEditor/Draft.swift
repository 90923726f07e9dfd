// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The part of a document that is sent between devices. It may be from another version of this app, so every value is
/// checked before use.
struct Draft: Codable, Hashable, Sendable {
    static let version = 1
    /// The longest text sent with an activity, which has 128 KiB. A longer text needs its file on both devices.
    static let textBytes = 96 * 1024
    static let nameBytes = 255

    var version = Self.version
    /// The document's id, the same on every device, so that it continues in its own window when it returns.
    var document: UUID
    var name: String
    /// Nil: the text is too long.
    var text: String?
    var place: Place

    init(document: UUID, name: String, text: String, place: Place) {
        self.document = document
        self.name = name
        self.text = text.utf8.count <= Self.textBytes ? text : nil
        self.place = place
    }

    var isSensible: Bool {
        version == Self.version && name.utf8.count <= Self.nameBytes
            && text.map { $0.utf8.count <= Self.textBytes && Self.isShowable($0) } ?? true
    }

    /// C strings end at a zero byte, and so do GTK's.
    static func isShowable(_ text: String) -> Bool { !text.utf8.contains(0) }
}

/// The user's place in the text, in Unicode scalars, as in GTK. An offset beyond the end means the end.
struct Place: Codable, Hashable, Sendable {
    /// The cursor, and the other end of the selection: equal if nothing is selected.
    var cursor = 0
    var anchor = 0
    /// The first visible character.
    var top = 0
}
