// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import Logging

/// The end of what is done beside the loop: the first to start, and so the last to stop. What was to be written later is
/// written then, for there is no later, and of anything else nothing is told any more.
package final class WorkService: Feature {
    package static let name = "Work"

    private let work: [any Work]
    private let store: any StateStore
    private let log: Logger

    package init(work: [any Work], store: any StateStore, log: Logger) {
        self.work = work
        self.store = store
        self.log = log
    }

    package func start() throws {}

    package func stop() {
        do {
            try store.finishWriting()
        } catch {
            log.warning("State could not be saved", metadata: ["reason": "\(error)"])
        }
        for work in work { work.stop() }
    }
}
