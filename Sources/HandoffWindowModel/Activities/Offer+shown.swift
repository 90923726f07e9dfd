// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire
internal import HandoffWords

extension Offer {
    /// Its title, or what people know it by without one; it may be empty.
    var knownTitle: String { title?.text ?? webHost?.name ?? appName.text }

    /// For a line: never empty.
    func shownTitle(_ words: Words) -> String { knownTitle.isEmpty ? words[.aPage] : knownTitle }

    /// Below the title: its app, what is said `between`, and its age; nothing that the title says already.
    func shownDetails(_ words: Words, at now: WallTime, between: [String] = []) -> [String] {
        ([appName.text] + between + [words.age(of: since, at: now)]).filter { !$0.isEmpty && $0 != knownTitle }
    }
}
