// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A command that is typed, or sent by a script: one per line.
package enum Command: Hashable, Sendable {
    case select(Tab)
    case go(PageAddress)
    /// Seconds from now.
    case expire(Double)
    case close
    case tabs
    /// Requests the page's position and title.
    case page
    /// Scrolls down to this position, in CSS pixels.
    case scroll(ScrollPosition)
    case openWindow
    case help
    case quit

    package static let overview =
        "Commands: tab N, go URL, expire SECONDS, close, tabs, help, quit; "
        + "in a window also: page, scroll Y, window."

    /// A page is offered for a day at most.
    private static let seconds = 0.0...86_400

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
        case "expire":
            guard let seconds = Double(rest), Self.seconds.contains(seconds) else { throw .noSuchTime(rest) }
            self = .expire(seconds)
        case "close": self = .close
        case "tabs": self = .tabs
        case "page": self = .page
        case "scroll":
            guard let y = Double(rest), let position = ScrollPosition(x: 0, y: y) else { throw .noSuchPlace(rest) }
            self = .scroll(position)
        case "window": self = .openWindow
        case "help", "?": self = .help
        case "quit", "exit": self = .quit
        default: throw .noSuchCommand(String(verb))
        }
    }
}
