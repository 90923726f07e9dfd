// SPDX-License-Identifier: Apache-2.0

/// A common program that cannot take part as it is.
package struct UncoveredProgram: Hashable, Sendable {
    /// The identifier of its desktop entry.
    package let entry: String
    /// A clause about the program.
    package let reason: String

    private init(_ entry: String, _ reason: String) { (self.entry, self.reason) = (entry, reason) }

    package static let all: [UncoveredProgram] = [
        UncoveredProgram("com.github.xournalpp.xournalpp", "it names its file and page only when it closes the file"),
        UncoveredProgram("org.gnome.Evolution", "it reveals the message to no program"),
    ]

    package static func of(entry: String) -> UncoveredProgram? { all.first { $0.entry == entry } }
}
