// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem

extension NSUserActivity {
    /// A suggested phrase for starting the activity. Not sent, and without effect, because this system has no voice
    /// assistant; the app's log says so once.
    public var suggestedInvocationPhrase: String? {
        get { read { $0.suggestedInvocationPhrase } }
        set {
            if newValue != nil { center.logOnce(ActivityCenter.nobodySuggests) }
            record.state.withLock { $0.content.suggestedInvocationPhrase = newValue }
        }
    }

    /// The user's interaction that opened the app with this activity. Always nil: nothing here opens an app this way.
    public var interaction: INInteraction? { nil }
}
