// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The original photo, and the filter on it.
struct Edit: Sendable {
    let name: String
    /// The original file. It is sent to the other device, which applies the filter again.
    let file: Data
    let picture: Picture
    var filter = Filter()

    init(name: String, file: Data, filter: Filter = Filter()) throws {
        picture = try Picture(pnm: file)
        (self.name, self.file, self.filter) = (name, file, filter)
    }
}

/// The payload of the activity. The photo is too large for it and is sent through streams.
struct EditPayload: Codable, Hashable, Sendable {
    static let version = 1
    /// The largest photo accepted from another device, in bytes.
    static let limit = 128 * 1024 * 1024

    var version = Self.version
    var name: String
    var byteCount: Int
    var filter: Filter

    init(_ edit: Edit) { (name, byteCount, filter) = (edit.name, edit.file.count, edit.filter) }

    /// The payload is from another device, maybe from another version of this app.
    var isSensible: Bool { version == Self.version && (1...Self.limit).contains(byteCount) && filter.isSensible }
}
