// SPDX-License-Identifier: Apache-2.0

/// A folder that the apps of one team share with themselves on the user's other devices, as
/// `com.apple.developer.ubiquity-container-identifiers` and `…icloud-container-identifiers` name it:
/// `iCloud.com.example.letters`. ASCII letters, digits, dots, dashes and underscores, so that it is the name of a folder
/// and never climbs out of one.
package struct ContainerID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) throws(WireError) {
        guard !name.isEmpty, name.utf8.count <= Limits.containerBytes else {
            throw WireError(.badIdentifier, "a container identifier has 1 to \(Limits.containerBytes) bytes")
        }
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isIdentifierCharacter) }) else {
            throw WireError(
                .badIdentifier, "a container identifier has letters, digits and dashes between single dots")
        }
        self.name = name
    }

    package var description: String { name }
    package static func < (left: Self, right: Self) -> Bool { left.name < right.name }
}
