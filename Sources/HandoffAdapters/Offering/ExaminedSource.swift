// SPDX-License-Identifier: Apache-2.0

import HandoffBus

/// Decides whether an open file or page may continue elsewhere. Files are examined on a thread.
final class ExaminedSource {
    private let home: HomeFile
    private let offLoop: OffLoop
    private var current: OpenSource?
    private var examined: (source: OpenSource, offered: ProgramState.Source?)?

    init(_ tools: FollowTools) { (home, offLoop) = (tools.home, tools.offLoop) }

    /// Nil if the open source may not continue, or is still being examined.
    var offered: ProgramState.Source? { examined.flatMap { $0.source == current ? $0.offered : nil } }

    /// Calls `shown` at once, and again if a file had to be examined first. The title is the source's name.
    func open(_ source: OpenSource?, then shown: @escaping (OfferStateMachine.Shown?) -> Void) {
        let then = { (offered: ProgramState.Source?) in
            shown(offered.map { OfferStateMachine.Shown(source: $0, title: source?.name ?? "") })
        }
        current = source
        guard let source else { return then(nil) }
        if let examined, examined.source == source { return then(examined.offered) }
        guard case .page(let url) = source else {
            then(nil)
            return examine(then)
        }
        examined = (source, .page(url))
        then(.page(url))
    }

    /// Examines a file again: it may have been changed or removed.
    func examine(_ then: @escaping (ProgramState.Source?) -> Void) {
        guard let current else { return then(nil) }
        if case .page = current { return then(offered) }
        offLoop.run({ [home] in home.source(of: current) }) { [weak self] offered in
            guard let self, self.current == current else { return }
            examined = (current, offered)
            then(offered)
        }
    }
}
