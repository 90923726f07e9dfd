// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HandoffWire

package struct ContinuationNotice: Sendable, Hashable {
    package let id: ContinuationID
    package let activityType: String
    /// The origin device's name; empty if unknown.
    package let originName: String

    package init(id: ContinuationID, activityType: String, originName: String) {
        self.id = id
        self.activityType = activityType
        self.originName = originName
    }
}

package enum WillContinueAnswer: Sendable, Hashable {
    /// The hook's result: true if the app shows the progress.
    case hook(Bool)
    /// No hook was or will be called. The content is not fetched, and the origin is not notified.
    case declined(reason: String)
}

/// Continues activities in this process: `HandoffApp`'s application object. Called on the connection's thread, which
/// must not block.
///
/// Each `willContinue` is followed by exactly one of `continueActivity` and `didFail`.
package protocol ContinuationHandler: AnyObject, Sendable {
    /// The user accepted; only the type is known. `answer` is called once.
    func willContinue(_ notice: ContinuationNotice, answer: @escaping @Sendable (WillContinueAnswer) -> Void)
    /// `answer` is called once, with the hook's result.
    func continueActivity(
        _ activity: NSUserActivity, of notice: ContinuationNotice, answer: @escaping @Sendable (Bool) -> Void)
    func didFail(_ notice: ContinuationNotice, error: CocoaError)
    /// A document is on its way, for a continuation or because the app requested it.
    func progressed(_ progress: DocumentProgress)
    /// Sentences for the user about the documents of the activity that is delivered next.
    func noted(_ notes: [String], of notice: ContinuationNotice)
    func containersChanged()
    /// The state of an activity about files is requested. First check whether the files were moved and save them.
    /// `done` is called once, on any thread.
    func lookAtFiles(of activity: NSUserActivity, done: @escaping @Sendable () -> Void)
    /// The delegate of an activity that needs saving has run; the owners add their parts now. The activity is sent when
    /// `done` is called, once.
    func didUpdate(_ activity: NSUserActivity, done: @escaping @Sendable () -> Void)
    /// Deletes the app's saved activities. `done` is called once, on any thread, when they are deleted on disk.
    func deleteSaved(_ saved: SavedActivities, done: @escaping @Sendable () -> Void)
}

extension ContinuationHandler {
    /// For handlers that save nothing.
    package func deleteSaved(_ saved: SavedActivities, done: @escaping @Sendable () -> Void) { done() }
}

// For handlers without documents.
extension ContinuationHandler {
    package func progressed(_ progress: DocumentProgress) {}
    package func noted(_ notes: [String], of notice: ContinuationNotice) {}
    package func containersChanged() {}
    package func lookAtFiles(of activity: NSUserActivity, done: @escaping @Sendable () -> Void) { done() }
}
