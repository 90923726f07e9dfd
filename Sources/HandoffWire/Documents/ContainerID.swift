// SPDX-License-Identifier: Apache-2.0

/// A folder that one team's apps share across the user's devices, as in
/// `com.apple.developer.ubiquity-container-identifiers`: `iCloud.com.example.letters`. ASCII letters, digits, dots,
/// dashes and underscores make a safe folder name.
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
