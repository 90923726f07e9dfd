// SPDX-License-Identifier: Apache-2.0

public import Handoff

/// An object that can restore its state from an activity: a responder, a window, a document. It is passed to the
/// `restorationHandler` of the application delegate, or the app calls it directly.
@preconcurrency @MainActor
public protocol NSUserActivityRestoring: AnyObject, Sendable {
    /// Called on the main thread with an activity from another device. Its content comes from outside: validate it.
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

/// UIKit's name.
public typealias UIUserActivityRestoring = NSUserActivityRestoring
