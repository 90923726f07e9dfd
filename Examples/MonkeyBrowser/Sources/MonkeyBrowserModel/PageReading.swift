// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The title and position that a shown page reports.
package struct PageReading: Hashable, Sendable {
    package let address: String
    package let title: String
    package let scroll: ScrollPosition

    /// The JavaScript that asks the page. Its result is text for `init(answer:)`.
    package static let question =
        "JSON.stringify({url: location.href, title: document.title, x: window.scrollX, y: window.scrollY})"

    /// Scrolls the page, then asks it.
    package static func question(afterScrollingTo position: ScrollPosition) -> String {
        "window.scrollTo({left: \(position.x), top: \(position.y), behavior: 'instant'}); \(question)"
    }

    /// Nil for an invalid answer: pages are not trusted.
    package init?(answer: String) {
        guard let parts = try? JSONDecoder().decode(Parts.self, from: Data(answer.utf8)) else { return nil }
        address = parts.url
        title = PageTitle(parts.title)?.text ?? ""
        // A page that is pulled beyond its edge reports a negative position.
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

    /// Nil if no visible text is left.
    package init?(_ text: String) {
        let words = text.split {
            $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        let line = words.joined(separator: " ")
        guard !line.isEmpty else { return nil }
        self.text = String(line.prefix(Self.longest))
    }
}
