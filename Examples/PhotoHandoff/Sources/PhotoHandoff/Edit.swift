// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A photo as it was read, and what is done to it.
struct Edit: Sendable {
    let name: String
    /// The file, which is what goes to another device: the filter is applied there anew.
    let file: Data
    let picture: Picture
    var filter = Filter()

    init(name: String, file: Data, filter: Filter = Filter()) throws {
        picture = try Picture(pnm: file)
        (self.name, self.file, self.filter) = (name, file, filter)
    }
}

/// What goes along with the activity. The photo itself would be too large; it goes through streams.
struct EditPayload: Codable, Hashable, Sendable {
    static let version = 1
    /// Bytes of a photo that is taken from another device.
    static let limit = 128 * 1024 * 1024

    var version = Self.version
    var name: String
    var byteCount: Int
    var filter: Filter

    init(_ edit: Edit) { (name, byteCount, filter) = (edit.name, edit.file.count, edit.filter) }

    /// It comes from another device and maybe from another version of this app.
    var isSensible: Bool { version == Self.version && (1...Self.limit).contains(byteCount) && filter.isSensible }
}
