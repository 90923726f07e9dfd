// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

struct ShownVersion: Listed {
    static let columns: [Table.Column] = ["VERSION", "REPLACED", .elastic("BY"), "SIZE", "DOCUMENT"]

    let version: String
    let path: String
    let file: String
    let size: UInt64
    let modified: String
    let replaced: String
    let deviceName: String
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

    var short: String { String(version.prefix(8)) }

    var cells: [String] { [short, replacedLocal, deviceName, Int64(clamping: size).inBytes, path] }
}
