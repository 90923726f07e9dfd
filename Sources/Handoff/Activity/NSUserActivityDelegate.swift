// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Told when the activity is about to be sent, and when another device continued it. Every method is optional.
///
/// The methods are called on a background queue of default priority, one at a time for an activity.
///
/// Any class will do; on Apple's systems it derives from NSObject.
public protocol NSUserActivityDelegate: AnyObject {
    /// The activity is about to be sent and `needsSave` was set: the last chance to fill `userInfo`. What the activity
    /// holds when this returns is what is sent. It has the few seconds that the other device's user waits.
    func userActivityWillSave(_ userActivity: NSUserActivity)

    /// Another device has continued the activity. Here it stays usable.
    func userActivityWasContinued(_ userActivity: NSUserActivity)

    /// The app that continued the activity asked for streams, and has its ends of them. What one app writes the other
    /// reads. Neither is open yet; open what is used, and close both. Called once for each time that app asks, if
    /// `supportsContinuationStreams` is true then.
    ///
    /// Without this method both are closed at once.
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
