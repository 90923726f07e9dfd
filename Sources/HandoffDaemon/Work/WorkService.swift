// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import Logging

/// Ends the work off the loop. It is the first feature to start, and so the last to stop. Delayed writes are completed
/// then; other work is not reported any longer.
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
