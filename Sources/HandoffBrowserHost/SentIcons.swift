// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Each icon is sent once, when its app first appears in the list.
struct SentIcons: Sendable {
    private var wanted: Set<String> = []
    private var sent: Set<String> = []
    private var isAsked = false

    /// True if the installed apps must be asked for.
    mutating func listed(_ offers: [ShownOffer]) -> Bool {
        wanted = Set(offers.compactMap(\.app)).subtracting(sent)
        guard !wanted.isEmpty, !isAsked, sent.count < BrowserLimits.iconsSent else { return false }
        isAsked = true
        return true
    }

    mutating func installed(_ apps: [AppSummary]) -> [BundleID: String] {
        isAsked = false
        let wanted = wanted.sorted().prefix(BrowserLimits.iconsSent - sent.count)
        sent.formUnion(wanted)
        let found = apps.filter { wanted.contains($0.bundle.name) }
        return Dictionary(found.map { ($0.bundle, $0.path) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func disconnected() { isAsked = false }
}
