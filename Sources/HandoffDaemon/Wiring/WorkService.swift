// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import Logging

/// Starts first, and so stops last. Stopping completes delayed writes; other work is no longer reported.
final class WorkService: Feature {
    private let work: [any Work]
    private let store: any StateStore
    private let log: Logger

    init(work: [any Work], store: any StateStore, log: Logger) {
        self.work = work
        self.store = store
        self.log = log
    }

    func start() throws {}

    func stop() {
        do {
            try store.finishWriting()
        } catch {
            log.warning("State could not be saved", metadata: ["reason": "\(error)"])
        }
        for work in work { work.stop() }
    }
}
