// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HandoffWire

/// What is known of a continuation before its content is here.
package struct ContinuationNotice: Sendable, Hashable {
    package let id: ContinuationID
    package let activityType: String
    /// Of the device that it comes from; empty if that is not known.
    package let originName: String

    package init(id: ContinuationID, activityType: String, originName: String) {
        self.id = id
        self.activityType = activityType
        self.originName = originName
    }
}

/// What becomes of a will-continue.
package enum WillContinueAnswer: Sendable, Hashable {
    /// The hook's word, true if the app shows the progress itself.
    case hook(Bool)
    /// No hook was called and none will be. The content is not fetched, and the origin does not hear that anybody goes on.
    case declined(reason: String)
}

/// Who continues activities in this process: `HandoffApp`'s application object. Called on the connection's thread;
/// an implementation must not wait there.
///
/// Each `willContinue` is followed by exactly one of `continueActivity` and `didFail`.
package protocol ContinuationHandler: AnyObject, Sendable {
    /// The user accepted, nothing but the type is known. `answer` is called once.
    func willContinue(_ notice: ContinuationNotice, answer: @escaping @Sendable (WillContinueAnswer) -> Void)
    /// `answer` is called once: the hook's word.
    func continueActivity(
        _ activity: NSUserActivity, of notice: ContinuationNotice, answer: @escaping @Sendable (Bool) -> Void)
    func didFail(_ notice: ContinuationNotice, error: CocoaError)
    /// A document is on its way: with a continuation, or because the app asked for it.
    func progressed(_ progress: DocumentProgress)
    /// What the user is to read of the documents of an activity that is delivered next: sentences.
    func noted(_ notes: [String], of notice: ContinuationNotice)
    /// The app's containers are other ones, or are known now.
    func containersChanged()
    /// The state of an activity that is about files is asked for: whether they lie where it says, and whether they are
    /// saved, is to be looked at first. `done` is called once, on any thread.
    func lookAtFiles(of activity: NSUserActivity, done: @escaping @Sendable () -> Void)
    /// The delegate of an activity that needs to be saved has had its turn; what owners add is next, and the activity is
    /// sent when `done` is called, once.
    func didUpdate(_ activity: NSUserActivity, done: @escaping @Sendable () -> Void)
    /// The app wants these gone from what it keeps of itself for its next run. `done` is called once, when they are off the
    /// disk, on any thread.
    func deleteSaved(_ saved: SavedActivities, done: @escaping @Sendable () -> Void)
}

extension ContinuationHandler {
    /// Of one that keeps nothing.
    package func deleteSaved(_ saved: SavedActivities, done: @escaping @Sendable () -> Void) { done() }
}

// Of one that has no documents.
extension ContinuationHandler {
    package func progressed(_ progress: DocumentProgress) {}
    package func noted(_ notes: [String], of notice: ContinuationNotice) {}
    package func containersChanged() {}
    package func lookAtFiles(of activity: NSUserActivity, done: @escaping @Sendable () -> Void) { done() }
}
