// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a page that is shown says of itself.
package struct PageReading: Hashable, Sendable {
    package let address: String
    package let title: String
    package let scroll: ScrollPosition

    /// What the page is asked, in JavaScript. Its answer is text for `init(answer:)`.
    package static let question =
        "JSON.stringify({url: location.href, title: document.title, x: window.scrollX, y: window.scrollY})"

    /// Scrolls the page, and asks it afterwards.
    package static func question(afterScrollingTo position: ScrollPosition) -> String {
        "window.scrollTo({left: \(position.x), top: \(position.y), behavior: 'instant'}); \(question)"
    }

    /// Nil for what is no answer to the question: the page is a stranger's.
    package init?(answer: String) {
        guard let parts = try? JSONDecoder().decode(Parts.self, from: Data(answer.utf8)) else { return nil }
        address = parts.url
        title = PageTitle(parts.title)?.text ?? ""
        // A page that is pulled beyond its edge says less than nothing.
        scroll = ScrollPosition(x: max(0, parts.x), y: max(0, parts.y)) ?? .top
    }

    private struct Parts: Decodable {
        var url: String
        var title: String
        var x: Double
        var y: Double
    }
}

/// A page's title: one line, of a length that can be shown.
package struct PageTitle: Hashable, Sendable {
    package let text: String

    package static let longest = 120

    /// Nil where nothing is left to be shown.
    package init?(_ text: String) {
        let words = text.split {
            $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        let line = words.joined(separator: " ")
        guard !line.isEmpty else { return nil }
        self.text = String(line.prefix(Self.longest))
    }
}
