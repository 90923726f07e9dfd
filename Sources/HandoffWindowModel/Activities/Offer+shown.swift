// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire
internal import HandoffWords

extension Offer {
    /// The title, or a substitute, which may be empty.
    var knownTitle: String { title?.text ?? webHost?.name ?? appName.text }

    /// Never empty.
    func shownTitle(_ words: Words) -> String { knownTitle.isEmpty ? words[.aPage] : knownTitle }

    /// App, `between` and age, without a repetition of the title.
    func shownDetails(_ words: Words, at now: WallTime, between: [String] = []) -> [String] {
        ([appName.text] + between + [words.age(of: since, at: now)]).filter { !$0.isEmpty && $0 != knownTitle }
    }
}
