// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

struct ShownOutcome: Renderable {
    struct PhaseShown: Encodable {
        let phase: String
        let milliseconds: Double
    }

    let continuation: String
    let target: ShownActivity.Target
    let activity: ShownState?
    let phases: [PhaseShown]
    let milliseconds: Double
    let saved: String?
    let facts: ShownFacts?
    let documents: [ShownDocument]?
    var stream: TakenStream?
    /// Whether people see how long each phase took. JSON always has it.
    var isVerbose = false
    private let times: String
    private let age: String?

    enum CodingKeys: String, CodingKey {
        case continuation, target, activity, phases, milliseconds, saved, facts, documents, stream
    }

    init(_ outcome: ContinuationOutcome, planned: ListedActivity.Target) throws(Failure) {
        continuation = outcome.continuation.hex
        switch outcome.how {
        case .app(let bundle):
            target = ShownActivity.Target(.app(bundle), name: outcome.targetName)
            activity = nil
        case .state(let state):
            let isPage = planned == .webPage && state.webpageURL != nil
            target =
                isPage
                ? ShownActivity.Target(.webPage, name: DisplayText(cleaning: ""))
                : ShownActivity.Target(.script, name: outcome.targetName)
            activity = try ShownState(state)
        case .pageShown:
            target = ShownActivity.Target(.webPage, name: outcome.targetName)
            activity = nil
        }
        phases = outcome.phases.map { PhaseShown(phase: $0.phase.word, milliseconds: $0.duration.milliseconds) }
        // Will-save is part of fetch.
        let total = outcome.phases.filter { $0.phase != .willSave }.reduce(Duration.zero) { $0 + $1.duration }
        milliseconds = total.milliseconds
        saved = outcome.saved?.iso8601
        facts = ShownFacts(outcome.facts)
        documents = outcome.documents.isEmpty ? nil : outcome.documents.map(ShownDocument.init)
        age =
            outcome.saved.map {
                "its app has quit there; this is what it had saved \($0.duration(to: .now).inWords) before"
            }
        times =
            outcome.phases.map { "\($0.phase.word) \($0.duration.inMilliseconds)" }.joined(separator: ", ")
            + (outcome.phases.isEmpty ? "" : "; ") + "\(total.inMilliseconds) in all"
    }

    func text(_ terminal: Terminal) -> String {
        let end = target.kind == "webPage" ? "shown in \(target.name ?? "a browser")" : "continued in \(target.words)"
        return ([end] + details + (facts?.lines ?? [])).joined(separator: "\n")
    }

    private var details: [String] {
        (documents?.map(\.line) ?? []) + (isVerbose ? [times] : []) + (age.map { [$0] } ?? [])
    }

    /// For standard error; nil if there is nothing to say.
    var remark: String? {
        let lines = details + (stream.map { [$0.words] } ?? [])
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
    var webPage: String? { target.kind == "webPage" ? activity?.webpageURL : nil }
}

extension Phase {
    var word: String { "\(self)".words(joinedBy: "-") }
}
