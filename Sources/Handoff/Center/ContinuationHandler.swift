// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HandoffWire

package struct ContinuationNotice: Sendable, Hashable {
    package let id: ContinuationID
    package let activityType: String
    /// The device's name; empty if unknown.
    package let originName: String

    package init(id: ContinuationID, activityType: String, originName: String) {
        self.id = id
        self.activityType = activityType
        self.originName = originName
    }
}

package enum WillContinueAnswer: Sendable, Hashable {
    /// True if the app shows the progress.
    case hook(Bool)
    /// No hook is called, the content is not fetched, and the origin is not notified.
    case declined(reason: String)
}

/// Called on the connection's thread, which must not block. Exactly one `continueActivity` or `didFail` follows each
/// `willContinue`. Every `answer` and `done` is called once, on any thread.
package protocol ContinuationHandler: AnyObject, Sendable {
    /// The user accepted; only the type is known.
    func willContinue(_ notice: ContinuationNotice, answer: @escaping @Sendable (WillContinueAnswer) -> Void)
    func continueActivity(
        _ activity: NSUserActivity, of notice: ContinuationNotice, answer: @escaping @Sendable (Bool) -> Void)
    func didFail(_ notice: ContinuationNotice, error: CocoaError)
    func progressed(_ progress: DocumentProgress)
    /// For the user, about documents of the activity that is delivered next.
    func noted(_ notes: [String], of notice: ContinuationNotice)
    func containersChanged()
    /// Finds moved files and saves them, before the activity's state is sent.
    func lookAtFiles(of activity: NSUserActivity, done: @escaping @Sendable () -> Void)
    /// The delegate has run; the owners add their parts before `done`.
    func didUpdate(_ activity: NSUserActivity, done: @escaping @Sendable () -> Void)
    /// Calls `done` after the deletion on disk.
    func deleteSaved(_ saved: SavedActivities, done: @escaping @Sendable () -> Void)
}

extension ContinuationHandler {
    package func deleteSaved(_ saved: SavedActivities, done: @escaping @Sendable () -> Void) { done() }
}

// For handlers without documents.
extension ContinuationHandler {
    package func progressed(_ progress: DocumentProgress) {}
    package func noted(_ notes: [String], of notice: ContinuationNotice) {}
    package func containersChanged() {}
    package func lookAtFiles(of activity: NSUserActivity, done: @escaping @Sendable () -> Void) { done() }
}
