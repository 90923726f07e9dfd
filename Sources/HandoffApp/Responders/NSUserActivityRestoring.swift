// SPDX-License-Identifier: Apache-2.0

public import Handoff

/// An object of the app that can be brought to an activity's state: a responder, a window, a document. It is passed to the
/// `restorationHandler` of the application delegate, or the app calls it by itself.
@preconcurrency @MainActor
public protocol NSUserActivityRestoring: AnyObject, Sendable {
    /// Called on the main thread, with an activity that came from another device. What it holds comes from outside.
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

/// UIKit's name for it.
public typealias UIUserActivityRestoring = NSUserActivityRestoring
