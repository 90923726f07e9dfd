// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import Foundation
public import HandoffApp

/// Shows continuations in the app's windows: progress until the activity arrives, and errors until the user has read
/// them. If the user is elsewhere, an error is also a notification; without a window, also a line of standard error.
/// ``GTKApplication`` uses this unless the app sets `UIApplication.continuationDisplay`.
@preconcurrency @MainActor
public final class GTKContinuationDisplay: HandoffContinuationDisplay {
    /// The newest is last; its window displays it.
    private var shown: [(progress: HandoffContinuationProgress, window: Place)] = []

    private struct Place {
        weak var window: GTKWindow?
    }

    public init() {}

    public func show(_ progress: HandoffContinuationProgress, in scene: UIScene?) {
        guard let window = window(of: scene) else { return }
        shown.append((progress, Place(window: window)))
        window.overlay.showProgress(progress.text)
    }

    public func update(_ progress: HandoffContinuationProgress, in scene: UIScene?) {
        guard let index = shown.firstIndex(where: { $0.progress.id == progress.id }) else { return }
        shown[index].progress = progress
        guard let window = shown[index].window.window, window.isOpen else { return }
        window.overlay.showProgress(shown.last { $0.window.window === window }?.progress.text)
    }

    public func showNote(_ note: String, in scene: UIScene?) {
        guard let window = window(of: scene) else {
            try? FileHandle.standardError.write(contentsOf: Data("\(note)\n".utf8))
            return
        }
        window.showMessage(note)
    }

    public func hide(_ progress: HandoffContinuationProgress) {
        guard let index = shown.firstIndex(where: { $0.progress.id == progress.id }) else { return }
        guard let window = shown.remove(at: index).window.window, window.isOpen else { return }
        window.overlay.showProgress(shown.last { $0.window.window === window }?.progress.text)
    }

    public func showFailure(_ error: any Error, ofActivityType activityType: String, in scene: UIScene?) {
        let text = error.localizedDescription
        let window = window(of: scene)
        window?.showMessage(text)
        if window == nil { try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8)) }
        guard window == nil || !GTKApplication.hasActiveWindow else { return }
        let title = activityType.isEmpty ? "Something went wrong" : "Could not continue"
        GTKApplication.shared.send(GTKNotification(title: title, body: text))
    }

    /// The scene's, or else the most recently active.
    private func window(of scene: UIScene?) -> GTKWindow? {
        let ofScene = (scene as? UIWindowScene)?.windows ?? []
        return (ofScene + UIApplication.shared.windows).lazy.compactMap { $0 as? GTKWindow }.first
    }
}
#endif
