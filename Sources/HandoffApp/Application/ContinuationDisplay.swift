// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffWire

/// An activity that is on its way to this app.
public struct ContinuationProgress: Identifiable, Hashable, Sendable {
    /// Tells one continuation from another of the same type.
    public struct ID: Hashable, Sendable {
        let continuation: ContinuationID
    }

    public let id: ID
    public let activityType: String
    /// Of the device that it comes from, for showing; nil if that is not known.
    public let originName: String?

    /// For people: "Continuing from laptop…"
    public var text: String { "Continuing from \(originName ?? "another device")…" }
}

/// What the framework shows of a continuation in the app's place: that something is on its way, where the delegate's
/// `willContinueUserActivityWithType` returned false or is missing, and the error, where there is no `didFail…` hook.
///
/// A toolkit or a desktop sets one of its own at ``Application/continuationDisplay``. Called on the main thread.
@preconcurrency @MainActor
public protocol ContinuationDisplay: AnyObject {
    /// Something is on its way. Followed by one `hide` of the same. `scene` is the one that it comes to; nil in an app
    /// without scenes.
    func show(_ progress: ContinuationProgress, in scene: Scene?)
    /// It is here, or does not come.
    func hide(_ progress: ContinuationProgress)
    /// `error` is a `CocoaError` of the codes 4608 to 4611, never `.userCancelled`. Its `localizedDescription` is for people.
    /// With an empty `activityType` it is another error: why a document could not be opened or saved.
    func showFailure(_ error: any Error, ofActivityType activityType: String, in scene: Scene?)
}

/// What of the continuations under way the framework shows.
@MainActor
final class ProgressBoard {
    private var shown: [ContinuationProgress.ID: (progress: ContinuationProgress, display: any ContinuationDisplay)] =
        [:]

    func begin(_ notice: ContinuationNotice, in scene: Scene?, on display: any ContinuationDisplay) {
        let progress = ContinuationProgress(
            id: ContinuationProgress.ID(continuation: notice.id), activityType: notice.activityType,
            originName: notice.originName.isEmpty ? nil : notice.originName)
        guard shown.updateValue((progress, display), forKey: progress.id) == nil else { return }
        display.show(progress, in: scene)
    }

    func isShown(_ notice: ContinuationNotice) -> Bool {
        shown[ContinuationProgress.ID(continuation: notice.id)] != nil
    }

    /// At the display that showed it, though the app may have set another one since.
    func end(_ notice: ContinuationNotice) {
        guard let entry = shown.removeValue(forKey: ContinuationProgress.ID(continuation: notice.id)) else { return }
        entry.display.hide(entry.progress)
    }
}
