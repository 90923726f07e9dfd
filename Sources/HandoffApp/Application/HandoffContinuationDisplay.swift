// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffWire

/// Shows progress and errors of continuations that hooks leave to the framework. Set at
/// ``UIApplication/continuationDisplay``. Called on the main thread.
@preconcurrency @MainActor
public protocol HandoffContinuationDisplay: AnyObject {
    /// An activity is on its way. One `hide` with the same progress follows. `scene` receives the activity, if the app
    /// has scenes.
    func show(_ progress: HandoffContinuationProgress, in scene: UIScene?)
    /// The document's progress changed. Called at most a few times a second.
    func update(_ progress: HandoffContinuationProgress, in scene: UIScene?)
    /// The activity has arrived or has failed.
    func hide(_ progress: HandoffContinuationProgress)
    /// `note` explains an unexpected outcome for a document.
    func showNote(_ note: String, in scene: UIScene?)
    /// Show the `localizedDescription` of `error`, a `CocoaError` with code 4608 to 4611, never `.userCancelled`.
    /// `activityType` is empty if a document could not be opened or saved.
    func showFailure(_ error: any Error, ofActivityType activityType: String, in scene: UIScene?)
}

extension HandoffContinuationDisplay {
    /// Does nothing.
    public func update(_ progress: HandoffContinuationProgress, in scene: UIScene?) {}

    /// Writes a line to standard error.
    public func showNote(_ note: String, in scene: UIScene?) { TerminalDisplay.standardError.showNote(note, in: scene) }
}

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

    /// No effect if the app shows it.
    func update(_ document: DocumentProgress) {
        guard var entry = shown[document.continuation] else { return }
        entry.progress.document = HandoffContinuationProgress.Document(document)
        shown[document.continuation] = entry
        entry.display.update(entry.progress, in: entry.scene)
    }

    func isShown(_ notice: ContinuationNotice) -> Bool { shown[notice.id] != nil }

    func scene(of notice: ContinuationNotice) -> UIScene? { shown[notice.id]?.scene }

    /// Uses the display that showed it; the app may have replaced it.
    func end(_ notice: ContinuationNotice) {
        guard let entry = shown.removeValue(forKey: notice.id) else { return }
        entry.display.hide(entry.progress)
    }
}
