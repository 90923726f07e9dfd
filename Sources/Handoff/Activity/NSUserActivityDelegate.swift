// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Notified before the activity is sent and after another device continued it. Every method is optional.
///
/// The methods are called on a background queue of default priority, one at a time for each activity. Any class may
/// conform; on Apple's systems it derives from NSObject.
public protocol NSUserActivityDelegate: AnyObject {
    /// The activity is about to be sent and `needsSave` was set: update `userInfo` now. The other device's user waits,
    /// so return within a few seconds.
    func userActivityWillSave(_ userActivity: NSUserActivity)

    /// Another device continued the activity. It stays usable here.
    func userActivityWasContinued(_ userActivity: NSUserActivity)

    /// The continuing app requested streams; these are this app's ends, one pair for each request if
    /// `supportsContinuationStreams` is true. Each app reads what the other writes.
    ///
    /// Open the streams you use, and close both. Without this method, both are closed.
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
