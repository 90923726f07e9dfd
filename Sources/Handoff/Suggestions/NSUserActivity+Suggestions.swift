// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem

extension NSUserActivity {
    /// What the user might say to have the activity begun. Nil at first. Kept with the object, not carried to other devices,
    /// and without an effect, which the app's log says once: nobody on this system listens.
    public var suggestedInvocationPhrase: String? {
        get { read { $0.suggestedInvocationPhrase } }
        set {
            if newValue != nil { center.logOnce(ActivityCenter.nobodySuggests) }
            record.state.withLock { $0.content.suggestedInvocationPhrase = newValue }
        }
    }

    /// What the user did before the app was opened with this activity. Always nil: nobody on this system opens an app so.
    public var interaction: INInteraction? { nil }
}
