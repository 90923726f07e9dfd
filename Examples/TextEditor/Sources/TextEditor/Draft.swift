// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What of a document goes to another device. It comes from there too, and maybe from another version of this app, so it is
/// looked at before it is believed.
struct Draft: Codable, Hashable, Sendable {
    static let version = 1
    /// Of a text that goes along; a longer one is only continued where both devices have its file. An activity has 128 KiB.
    static let textBytes = 96 * 1024
    static let nameBytes = 255

    var version = Self.version
    /// Of the document, on whatever device it goes on: back where it was open, it goes on there.
    var document: UUID
    var name: String
    /// Nil: it is too long.
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

    /// Texts in C end at a zero, and so do GTK's.
    static func isShowable(_ text: String) -> Bool { !text.utf8.contains(0) }
}

/// Where in the text its user is, counted in Unicode scalars, as GTK counts. What lies behind the end is the end.
struct Place: Codable, Hashable, Sendable {
    /// Where typing goes on, and the other end of what is selected: the same where nothing is.
    var cursor = 0
    var anchor = 0
    /// The first that is seen.
    var top = 0
}
