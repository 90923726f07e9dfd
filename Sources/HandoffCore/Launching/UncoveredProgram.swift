// SPDX-License-Identifier: Apache-2.0

/// A common program that cannot take part as it is.
package struct UncoveredProgram: Hashable, Sendable {
    /// The identifier of its desktop entry.
    package let entry: String
    /// A clause about the program.
    package let reason: String

    private init(_ entry: String, _ reason: String) { (self.entry, self.reason) = (entry, reason) }

    private static let cursor =
        "it reveals its file and cursor to assistive technologies only, which Handoff does not use"

    package static let all: [UncoveredProgram] = [
        UncoveredProgram("com.github.xournalpp.xournalpp", "it names its file and page only when it closes the file"),
        UncoveredProgram("org.gnome.Evolution", "it reveals the message to no program"),
        UncoveredProgram("org.kde.kate", cursor),
        UncoveredProgram("org.kde.kwrite", cursor),
    ]

    package static func of(entry: String) -> UncoveredProgram? { all.first { $0.entry == entry } }
}
