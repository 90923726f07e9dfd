// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem
package import HandoffWire

extension NSUserActivity {
    /// Throws `.payloadTooLarge`.
    package func savedState() throws(Failure) -> ActivityState {
        try record.state.withLock { $0.content }.state(of: record.type)
    }

    /// Lets the delegate update the activity if `needsSave` is set; the caller then asks the owners. If true, `done` is
    /// called once, on the delegate's queue; otherwise never.
    package func prepareToBeSaved(done: @escaping @Sendable () -> Void) -> Bool {
        let (isDue, delegate) = record.state.withLock { state in
            guard state.content.needsSave, !state.isInvalidated else { return (false, WeakDelegate()) }
            state.beginAsking()
            return (true, state.delegate)
        }
        guard isDue else { return false }
        guard delegate.value != nil else {
            record.happened(.willSave)
            return false
        }
        center.runHook(on: record.hooks) {
            self.record.happened(.willSave)
            delegate.value?.userActivityWillSave(self)
            done()
        }
        return true
    }

    /// Throws `.malformed` for a state that no app of this project wrote.
    package convenience init(savedState: ActivityState, center: ActivityCenter) throws(Failure) {
        self.init(type: savedState.type, content: try ActivityContent(savedState), center: center)
    }
}
