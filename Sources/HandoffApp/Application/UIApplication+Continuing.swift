// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import Handoff
package import HandoffWire

// Exactly one continue or didFail follows each will-continue that a hook received.

extension UIApplication: ContinuationHandler {
    nonisolated package func willContinue(
        _ notice: ContinuationNotice, answer: @escaping @Sendable (WillContinueAnswer) -> Void
    ) {
        onMainThread {
            self.whenLaunched { delegate in
                if self.launch.declines(notice.activityType) {
                    return answer(.declined(reason: "the app does not continue what it was started for"))
                }
                if self.viewEvents.announce(notice) {
                    self.progress.begin(notice, in: nil, on: self.display)
                    return answer(.hook(false))
                }
                answer(.hook(self.announce(notice, to: delegate)))
            }
        }
    }

    nonisolated package func continueActivity(
        _ activity: NSUserActivity, of notice: ContinuationNotice, answer: @escaping @Sendable (Bool) -> Void
    ) {
        onMainThread {
            self.whenLaunched { delegate in
                self.progress.end(notice)
                switch self.viewEvents.deliver(activity, of: notice) {
                case .handled: return answer(true)
                case .nobody:
                    _ = self.announce(notice, to: delegate)
                    self.progress.end(notice)
                case .notAnnounced: break
                }
                if self.scenes.deliver(activity, of: notice) { return answer(true) }
                answer(self.delegateContinues(activity))
            }
        }
    }

    nonisolated package func didFail(_ notice: ContinuationNotice, error: CocoaError) {
        onMainThread {
            self.whenLaunched { delegate in
                self.progress.end(notice)
                if self.viewEvents.ended(notice) {
                    return self.show(error, ofActivityType: notice.activityType, in: nil)
                }
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
            // Sending does not wait for a delegate.
            self.delegate?.application(self, didUpdate: activity)
            done()
        }
    }

    nonisolated package func lookAtFiles(of activity: NSUserActivity, done: @escaping @Sendable () -> Void) {
        onMainThread { NSDocumentController.prepareToGo(activity.ownerDocuments) { done() } }
    }

    nonisolated package func containersChanged() {
        onMainThread { self.documentController.containersChanged() }
    }

    nonisolated package func progressed(_ progress: DocumentProgress) {
        onMainThread { self.progress.update(progress) }
    }

    nonisolated package func noted(_ notes: [String], of notice: ContinuationNotice) {
        onMainThread {
            self.whenLaunched { _ in
                let scene = self.progress.scene(of: notice)
                for note in notes { self.display.showNote(note, in: scene) }
            }
        }
    }

    nonisolated package func deleteSaved(_ saved: SavedActivities, done: @escaping @Sendable () -> Void) {
        // Immediately, so that a launch that reads them now finds none.
        sceneArchive?.deleteActivities(saved)
        onMainThread {
            self.scenes.deleteActivities(saved)
            guard let archive = self.sceneArchive else { return done() }
            archive.whenWritten(done)
        }
    }

    /// True if the app shows the progress.
    private func announce(_ notice: ContinuationNotice, to delegate: any HandoffApplicationDelegate) -> Bool {
        if scenes.announce(notice) { return !progress.isShown(notice) }
        let showsItself = delegate.application(self, willContinueUserActivityWithType: notice.activityType)
        if !showsItself { progress.begin(notice, in: nil, on: display) }
        return showsItself
    }

    /// True if the delegate continues it or its document is opened.
    func delegateContinues(_ activity: NSUserActivity) -> Bool {
        guard let delegate else { return false }
        let restoration = Restoration(of: activity, in: self)
        let isHandled = delegate.application(self, continue: activity) { restoration.restore($0) }
        return isHandled || documentController.continueDocument(of: activity)
    }

    // MARK: Display

    var display: any HandoffContinuationDisplay { continuationDisplay ?? TerminalDisplay.standardError }

    /// Ignores `.userCancelled`.
    func show(_ error: any Error, ofActivityType activityType: String, in scene: UIScene?) {
        if (error as? CocoaError)?.code == .userCancelled { return }
        display.showFailure(error, ofActivityType: activityType, in: scene)
    }
}
