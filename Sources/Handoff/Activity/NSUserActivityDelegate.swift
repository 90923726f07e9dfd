// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Notified when the activity is about to be sent and when another device continued it. Every method is optional.
///
/// The methods are called on a background queue of default priority, one at a time for each activity.
///
/// Any class may conform; on Apple's systems it derives from NSObject.
public protocol NSUserActivityDelegate: AnyObject {
    /// The activity is about to be sent and `needsSave` was set: the last chance to fill `userInfo`. The state that the
    /// activity has when this returns is sent. The other device's user waits, so return within a few seconds.
    func userActivityWillSave(_ userActivity: NSUserActivity)

    /// Another device has continued the activity. It stays usable here.
    func userActivityWasContinued(_ userActivity: NSUserActivity)

    /// The continuing app requested streams; these are this app's ends. Each app reads what the other writes. Both are
    /// closed at first: open the ones you use, and close both in the end. Called for each request if
    /// `supportsContinuationStreams` is true.
    ///
    /// Without this method, both are closed at once.
    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream)
}

extension NSUserActivityDelegate {
    public func userActivityWillSave(_ userActivity: NSUserActivity) {}
    public func userActivityWasContinued(_ userActivity: NSUserActivity) {}
    public func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {}
}
