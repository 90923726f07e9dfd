// SPDX-License-Identifier: Apache-2.0

internal import HandoffStrings
internal import HandoffWire

extension Offer {
    /// The title, or a substitute, which may be empty.
    var knownTitle: String { title?.text ?? webHost?.name ?? appName.text }

    /// Never empty.
    func shownTitle(_ strings: LocalizedStrings) -> String { knownTitle.isEmpty ? strings[.aPage] : knownTitle }

    /// App, `between` and age, without a repetition of the title.
    func shownDetails(_ strings: LocalizedStrings, at now: WallTime, between: [String] = []) -> [String] {
        ([appName.text] + between + [strings.age(of: since, at: now)]).filter { !$0.isEmpty && $0 != knownTitle }
    }
}
