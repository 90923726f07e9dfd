// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// What was replaced, and is kept for a while.
struct ShownVersion: Listed {
    static let columns: [Table.Column] = ["VERSION", "REPLACED", .elastic("BY"), "SIZE", "DOCUMENT"]

    /// Its id, hexadecimal.
    let version: String
    /// Where it lay.
    let path: String
    /// Where it is kept.
    let file: String
    /// Bytes.
    let size: UInt64
    let modified: String
    let replaced: String
    /// Whose version took its place.
    let deviceName: String
    /// A folder that is one document.
    let package: Bool
    let replacedLocal: String

    enum CodingKeys: CodingKey { case version, path, file, size, modified, replaced, deviceName, package }

    init(_ version: KeptVersion) {
        self.version = version.id.hex
        path = version.path.text
        file = version.file.text
        size = version.size
        modified = WallTime(milliseconds: version.modified.nanoseconds / 1_000_000).iso8601
        replaced = version.kept.iso8601
        replacedLocal = version.kept.local
        deviceName = version.deviceName.text
        package = version.isPackage
    }

    /// Enough of its id, as the list shows it.
    var short: String { String(version.prefix(8)) }

    var cells: [String] { [short, replacedLocal, deviceName, Int64(clamping: size).inBytes, path] }
}
