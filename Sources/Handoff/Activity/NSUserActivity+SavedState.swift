// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem
package import HandoffWire

// For what the app keeps of itself: an activity on disk instead of on another device.

extension NSUserActivity {
    /// What is in it now. Throws `.payloadTooLarge`.
    package func savedState() throws(Failure) -> ActivityState {
        try record.state.withLock { $0.content }.state(of: record.type)
    }

    /// Has the delegate bring it up to date, on a background queue, if `needsSave` says so; its owners' turn is next. `done` is
    /// called once, on any thread.
    package func prepareToBeSaved(done: @escaping @Sendable () -> Void) {
        let isDue = record.state.withLock { state in
            guard state.content.needsSave, !state.isInvalidated else { return false }
            state.content.needsSave = false
            // As when it is sent: each owner puts in what is its own.
            if !state.owners.isEmpty { state.content.userInfo = [:] }
            return true
        }
        guard isDue else { return done() }
        center.runHook(on: record.hooks) {
            self.record.happened(.willSave)
            self.record.state.withLock { $0.delegate }.value?.userActivityWillSave(self)
            done()
        }
    }

    /// Made of what `savedState` gave. Throws `.malformed` for a state that no app of this project wrote.
    package convenience init(savedState: ActivityState, center: ActivityCenter) throws(Failure) {
        self.init(type: savedState.type, content: try ActivityContent(savedState), center: center)
    }
}
