// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Who goes on with activities in this process: `HandoffApp`'s application object. Called on the connection's thread;
/// an implementation must not wait there.
///
/// Each `willContinue` is followed by exactly one of `continueActivity` and `didFail`.
package protocol ContinuationHandler: AnyObject, Sendable {
    /// The user accepted, nothing but the type is known. `answer` is called once: the hook's word.
    func willContinue(_ activityType: String, answer: @escaping @Sendable (Bool) -> Void)
    /// `answer` is called once: the hook's word.
    func continueActivity(_ activity: NSUserActivity, answer: @escaping @Sendable (Bool) -> Void)
    func didFail(_ activityType: String, error: CocoaError)
    /// The delegate of an activity that needs to be saved has had its turn; what owners add is next, and the activity is
    /// sent when `done` is called, once.
    func didUpdate(_ activity: NSUserActivity, done: @escaping @Sendable () -> Void)
}
