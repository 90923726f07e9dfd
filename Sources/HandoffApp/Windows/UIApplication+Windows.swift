// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Handoff

extension UIApplication {
    /// How the activity to make current is found. That of AppKit at first.
    public var currentActivityRule: HandoffCurrentActivityRule {
        get { toolkit.rule }
        set { toolkit.rule = newValue }
    }

    /// Those that are open, in front first.
    public var windows: [UIWindow] { toolkit.windows }
    /// The one that its user works in; nil also while another app is in front.
    public var mainWindow: UIWindow? { toolkit.mainWindow }
    /// The one that gets the keys; nil also while another app is in front.
    public var keyWindow: UIWindow? { toolkit.keyWindow }
    /// Whether the app is the one that its user works with, as far as the toolkit said.
    public var isActive: Bool { toolkit.isActive }

    enum Promptness {
        /// On the main thread; on another one as the other case.
        case atOnce
        case laterOnMainThread
    }

    /// A responder or a document took an activity, or left it. On any thread.
    nonisolated static func ownersChanged(
        of activity: NSUserActivity, isAssigned: Bool = false, _ promptness: Promptness = .atOnce
    ) {
        let center = activity.center
        if promptness == .atOnce, MainThread.isCurrent {
            MainActor.assumeIsolated {
                center.run { UIApplication.shared }.toolkit.ownersChanged(of: activity, isAssigned: isAssigned)
            }
        } else if let application = center.handler as? UIApplication {
            application.onMainThread { application.toolkit.ownersChanged(of: activity, isAssigned: isAssigned) }
        } else {
            // The first responder with an activity makes the app one that has them.
            DispatchQueue.main.async { ownersChanged(of: activity, isAssigned: isAssigned) }
        }
    }
}
