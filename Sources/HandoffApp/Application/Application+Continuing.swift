// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import Handoff

// What comes from the user's other devices. Each will-continue that a hook heard is followed by exactly one of continue
// and didFail.

extension Application: ContinuationHandler {
    nonisolated package func willContinue(
        _ notice: ContinuationNotice, answer: @escaping @Sendable (WillContinueAnswer) -> Void
    ) {
        onMainThread {
            self.whenLaunched { delegate in
                if self.launch.declines(notice.activityType) {
                    return answer(.declined(reason: "the app does not continue what it was started for"))
                }
                if self.scenes.announce(notice) { return answer(.hook(!self.progress.isShown(notice))) }
                let showsItself = delegate.application(self, willContinueUserActivityWithType: notice.activityType)
                if !showsItself { self.progress.begin(notice, in: nil, on: self.display) }
                answer(.hook(showsItself))
            }
        }
    }

    nonisolated package func continueActivity(
        _ activity: NSUserActivity, of notice: ContinuationNotice, answer: @escaping @Sendable (Bool) -> Void
    ) {
        onMainThread {
            self.whenLaunched { _ in
                self.progress.end(notice)
                if self.scenes.deliver(activity, of: notice) { return answer(true) }
                answer(self.delegateContinues(activity))
            }
        }
    }

    nonisolated package func didFail(_ notice: ContinuationNotice, error: CocoaError) {
        onMainThread {
            self.whenLaunched { delegate in
                self.progress.end(notice)
                if self.scenes.fail(notice, error) { return }
                delegate.application(
                    self, didFailToContinueUserActivityWithType: notice.activityType, error: error)
            }
        }
    }

    nonisolated package func didUpdate(_ activity: NSUserActivity, done: @escaping @Sendable () -> Void) {
        onMainThread {
            activity.updateOwners()
            self.scenes.didUpdate(activity)
            // Sending does not wait for a delegate to come.
            self.delegate?.application(self, didUpdate: activity)
            done()
        }
    }

    /// True if the delegate continues it, or its document is opened.
    func delegateContinues(_ activity: NSUserActivity) -> Bool {
        guard let delegate else { return false }
        let restoration = Restoration(of: activity, in: self)
        let isHandled = delegate.application(self, continue: activity) { restoration.restore($0) }
        return isHandled || documentController.continueDocument(of: activity)
    }

    // MARK: What the framework shows

    var display: any ContinuationDisplay { continuationDisplay ?? TerminalDisplay.standardError }

    /// Shows an error of a continuation that the app has no hook for. One that its user caused by turning to something
    /// else is no news.
    func show(_ error: any Error, ofActivityType activityType: String, in scene: Scene?) {
        if (error as? CocoaError)?.code == .userCancelled { return }
        display.showFailure(error, ofActivityType: activityType, in: scene)
    }
}
