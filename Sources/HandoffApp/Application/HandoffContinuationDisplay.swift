// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffWire

/// What the framework shows of a continuation in the app's place: that something is on its way, where the delegate's
/// `willContinueUserActivityWithType` returned false or is missing, and the error, where there is no `didFail…` hook.
///
/// A toolkit or a desktop sets one of its own at ``UIApplication/continuationDisplay``. Called on the main thread.
@preconcurrency @MainActor
public protocol HandoffContinuationDisplay: AnyObject {
    /// Something is on its way. Followed by one `hide` of the same. `scene` is the one that it comes to; nil in an app
    /// without scenes.
    func show(_ progress: HandoffContinuationProgress, in scene: UIScene?)
    /// More is known of what was shown: of a document that has to come first. Called a few times a second at most.
    func update(_ progress: HandoffContinuationProgress, in scene: UIScene?)
    /// It is here, or does not come.
    func hide(_ progress: HandoffContinuationProgress)
    /// What became of a document, where that is not what the user expects: a sentence.
    func showNote(_ note: String, in scene: UIScene?)
    /// `error` is a `CocoaError` of the codes 4608 to 4611, never `.userCancelled`. Its `localizedDescription` is for people.
    /// With an empty `activityType` it is another error: why a document could not be opened or saved.
    func showFailure(_ error: any Error, ofActivityType activityType: String, in scene: UIScene?)
}

extension HandoffContinuationDisplay {
    /// Shows nothing more than `show` did.
    public func update(_ progress: HandoffContinuationProgress, in scene: UIScene?) {}

    /// A line of the standard error.
    public func showNote(_ note: String, in scene: UIScene?) { TerminalDisplay.standardError.showNote(note, in: scene) }
}

/// What of the continuations under way the framework shows.
@MainActor
final class ProgressBoard {
    private struct Entry {
        var progress: HandoffContinuationProgress
        let display: any HandoffContinuationDisplay
        weak var scene: UIScene?
    }

    private weak var center: ActivityCenter?
    private var shown: [ContinuationID: Entry] = [:]

    init(of center: ActivityCenter) { self.center = center }

    func begin(_ notice: ContinuationNotice, in scene: UIScene?, on display: any HandoffContinuationDisplay) {
        guard shown[notice.id] == nil else { return }
        let progress = HandoffContinuationProgress(
            id: HandoffContinuationProgress.ID(continuation: notice.id), activityType: notice.activityType,
            originName: notice.originName.isEmpty ? nil : notice.originName, center: center)
        shown[notice.id] = Entry(progress: progress, display: display, scene: scene)
        display.show(progress, in: scene)
    }

    /// Without effect for one that is not shown, as where the app shows it.
    func update(_ document: DocumentProgress) {
        guard var entry = shown[document.continuation] else { return }
        entry.progress.document = HandoffContinuationProgress.Document(document)
        shown[document.continuation] = entry
        entry.display.update(entry.progress, in: entry.scene)
    }

    func isShown(_ notice: ContinuationNotice) -> Bool { shown[notice.id] != nil }

    func scene(of notice: ContinuationNotice) -> UIScene? { shown[notice.id]?.scene }

    /// At the display that showed it, though the app may have set another one since.
    func end(_ notice: ContinuationNotice) {
        guard let entry = shown.removeValue(forKey: notice.id) else { return }
        entry.display.hide(entry.progress)
    }
}
