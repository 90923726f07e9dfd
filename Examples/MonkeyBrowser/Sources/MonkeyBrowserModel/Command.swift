// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What can be typed, or sent by a script: one command a line.
package enum Command: Hashable, Sendable {
    case select(Tab)
    case go(PageAddress)
    case tabs
    case help
    case quit

    package static let overview = "Commands: tab N, go URL, tabs, help, quit."

    /// Nil for an empty line.
    package init?(line: String) throws(BrowserError) {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard let verb = words.first else { return nil }
        let rest = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : ""
        switch verb.lowercased() {
        case "tab":
            guard let number = Int(rest), let tab = Tab(rawValue: number) else { throw .noSuchTab(rest) }
            self = .select(tab)
        case "go": self = .go(try PageAddress(entered: rest))
        case "tabs": self = .tabs
        case "help", "?": self = .help
        case "quit", "exit": self = .quit
        default: throw .noSuchCommand(String(verb))
        }
    }
}
