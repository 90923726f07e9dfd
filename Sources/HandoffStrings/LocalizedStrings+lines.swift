// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension LocalizedStrings {
    /// The same for eyes and screen readers. Never empty.
    package func title(of offer: Offer) -> String {
        let title = offer.knownTitle
        return title.isEmpty ? self[offer.hasWebPage ? .aPage : .untitled] : title
    }

    /// App · device · age, without those that are nil or already the title.
    package func details(of offer: Offer, on device: String?, at now: WallTime) -> String {
        let app = offer.appName.text == offer.knownTitle ? nil : offer.appName.text
        return Self.line([app, device, age(of: offer.since, at: now)])
    }

    package func details(of activity: ListedActivity, at now: WallTime) -> String {
        details(of: activity.offer, on: activity.deviceName.text, at: now)
    }

    package func title(of item: HistoryItem) -> String { item.title.isEmpty ? appName(of: item) : item.title.text }

    package func details(of item: HistoryItem, at now: WallTime) -> String {
        Self.line([item.title.isEmpty ? nil : appName(of: item), age(of: item.lastUse, at: now)])
    }

    private func appName(of item: HistoryItem) -> String { item.appName?.text ?? item.app.name }

    package static func line(_ parts: [String?], separator: String = " · ") -> String {
        let parts = parts.compactMap(\.self).filter { !$0.isEmpty }
        guard parts.contains(where: \.isWrittenFromRightToLeft) else { return parts.joined(separator: separator) }
        return parts.map(\.isolated).joined(separator: separator)
    }
}

extension String {
    /// A right-to-left part would otherwise reverse the order of its neighbours. Added only if needed, because not every
    /// reader ignores these characters.
    var isolated: String { "\u{2068}\(self)\u{2069}" }

    /// Hebrew, Arabic, Syriac, Thaana, N'Ko, Adlam and others.
    var isWrittenFromRightToLeft: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
            default: false
            }
        }
    }
}
