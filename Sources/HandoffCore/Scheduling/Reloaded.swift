// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Read off the loop. Reloads run in order. A query waits for reloads that have begun; a reload that overtakes it
/// repeats it.
package final class Reloaded<Content: Sendable> {
    /// As of the last completed reload. A caller that cannot wait may set it.
    package var content: Content
    private let work: (any Work)?
    private let reloads: (any WorkLane)?
    private var reloadsBegun = 0
    private var reloadsEnded = 0
    private var asked: [() -> Void] = []

    /// Without `work`, everything is synchronous.
    package init(_ content: Content, work: (any Work)? = nil) {
        self.content = content
        self.work = work
        reloads = work?.makeLane()
    }

    /// Calls `then` once, after `content` is set and before waiting queries. Fails as `WorkLane.run` does.
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

    /// Each query has its lane, so that a slow one does not delay others. Calls `then` once, unless this object is
    /// released first. Fails as `WorkLane.run` does.
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
