// SPDX-License-Identifier: Apache-2.0

import HandoffBus

/// Examines files on a thread, one at a time.
final class ExaminedSource {
    /// During an examination, the previous file stays offered for this long: the new file's mount may hang.
    static let patience = Duration.seconds(1)
    /// Until another attempt if all threads wait for mounts.
    static let retry = Duration.seconds(1)

    private struct Question {
        let source: OpenSource
        let answer: (ProgramState.Source?) -> Void
    }

    private struct Finding: Sendable {
        let offered: ProgramState.Source?
    }

    private let home: HomeFile
    private let namesRepository: Bool
    private let offLoop: OffLoop
    private let loop: BusLoop
    private var current: OpenSource?
    private var examined: (source: OpenSource, offered: ProgramState.Source?)?
    private var questions: [Question] = []
    private var isExamining = false
    private var timer: LoopWatch?
    private var again: LoopWatch?

    init(_ tools: FollowTools, namesRepository: Bool = false) {
        (home, offLoop, loop) = (tools.home, tools.offLoop, tools.loop)
        self.namesRepository = namesRepository
    }

    /// Nil if the open source may not continue, or is still being examined.
    var offered: ProgramState.Source? { examined.flatMap { $0.source == current ? $0.offered : nil } }

    /// Calls `shown` once it is known whether the source may continue, unless something else is opened first. The title is the
    /// source's name.
    func open(_ source: OpenSource?, then shown: @escaping (OfferStateMachine.Shown?) -> Void) {
        let then = { (offered: ProgramState.Source?) in
            shown(offered.map { OfferStateMachine.Shown(source: $0, title: source?.name ?? "") })
        }
        current = source
        timer = nil
        guard let source else { return then(nil) }
        if let offered = source.unexamined { examined = (source, offered) }
        if let examined, examined.source == source { return then(examined.offered) }
        timer = loop.after(Self.patience) { shown(nil) }
        examine { [weak self] offered in
            guard let self, current == source else { return }
            timer = nil
            then(offered)
        }
    }

    /// The file may have been changed or removed. Calls `then` once; with nil if something else was opened.
    func examine(_ then: @escaping (ProgramState.Source?) -> Void) {
        guard let current else { return then(nil) }
        if current.unexamined != nil { return then(offered) }
        questions.append(Question(source: current, answer: then))
        examineNext()
    }

    private func examineNext() {
        answer(nil) { $0 != current }
        guard !isExamining, let current, !questions.isEmpty else { return }
        isExamining = true
        let examine = { @Sendable [home, namesRepository] in
            Finding(offered: home.source(of: current, namesRepository: namesRepository))
        }
        offLoop.run(examine) { [weak self] finding in
            guard let self else { return }
            isExamining = false
            guard let finding else {
                again = loop.after(Self.retry) { [unowned self] in examineNext() }
                return
            }
            if self.current == current {
                examined = (current, finding.offered)
                answer(finding.offered) { $0 == current }
            }
            examineNext()
        }
    }

    private func answer(_ offered: ProgramState.Source?, about isMeant: (OpenSource) -> Bool) {
        let meant = questions.filter { isMeant($0.source) }
        questions.removeAll { isMeant($0.source) }
        for question in meant { question.answer(offered) }
    }
}
