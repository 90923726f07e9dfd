// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What is read beside the loop, anew at times, and asked about in between. Reloads come one after the other, so that the
/// last one counts; a question waits for those that have begun, and one that a reload overtook is asked again after it.
package final class Reloaded<Content: Sendable> {
    /// As of the last reload that ended. One who can wait for nothing sets it.
    package var content: Content
    private let work: (any Work)?
    private let reloads: (any WorkLane)?
    private var reloadsBegun = 0
    private var reloadsEnded = 0
    /// What was asked during a reload.
    private var asked: [() -> Void] = []

    /// Without `work` everything is done at once.
    package init(_ content: Content, work: (any Work)? = nil) {
        self.content = content
        self.work = work
        reloads = work?.makeLane()
    }

    /// `then` is called once with what was read, when it is `content`: before any question that waited. It fails as
    /// `WorkLane.run` does.
    package func reload(
        _ read: @escaping @Sendable () -> Content, then: @escaping (Result<Content, Failure>) -> Void
    ) {
        guard let reloads else {
            content = read()
            return then(.success(content))
        }
        reloadsBegun += 1
        do throws(Failure) {
            try reloads.run(
                read,
                then: { [weak self] found in
                    self?.content = found
                    then(.success(found))
                    self?.reloadEnded()
                })
        } catch {
            then(.failure(error))
            reloadEnded()
        }
    }

    private func reloadEnded() {
        reloadsEnded += 1
        guard reloadsEnded == reloadsBegun else { return }
        let asked = self.asked
        self.asked = []
        for ask in asked { ask() }
    }

    /// Each question has a lane of its own: one that takes long keeps no other waiting. `then` is called once, unless this
    /// is gone by then; it fails as `WorkLane.run` does.
    package func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (Content) -> Answer, then: @escaping (Result<Answer, Failure>) -> Void
    ) {
        guard reloadsEnded == reloadsBegun else {
            asked.append { [weak self] in self?.ask(question, then: then) }
            return
        }
        guard let work else { return then(.success(question(content))) }
        let reloads = reloadsBegun
        do throws(Failure) {
            try work.makeLane().run(
                { [content] in question(content) },
                then: { [weak self] answer in
                    guard let self else { return }
                    if reloads == reloadsBegun { then(.success(answer)) } else { ask(question, then: then) }
                })
        } catch {
            then(.failure(error))
        }
    }
}
