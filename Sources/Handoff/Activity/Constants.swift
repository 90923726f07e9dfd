// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The app's own name for a saved activity.
public typealias NSUserActivityPersistentIdentifier = String

/// The type of an activity that is a web page: `webpageURL` is what it is about.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

/// The key in `userInfo` under which the URL of the document is that an activity is about. `UIDocument.userActivityURLKey`
/// is its other name.
public let NSUserActivityDocumentURLKey = "NSUserActivityDocumentURLKey"

/// The first of the codes of `CocoaError` that are for activities.
public let NSUserActivityErrorMinimum = 4608
/// The last of the codes of `CocoaError` that are for activities.
public let NSUserActivityErrorMaximum = 4863

// Foundation has the codes themselves; these are their longer spellings.
extension CocoaError.Code {
    public static var userActivityHandoffFailedError: CocoaError.Code { .userActivityHandoffFailed }
    public static var userActivityConnectionUnavailableError: CocoaError.Code { .userActivityConnectionUnavailable }
    public static var userActivityRemoteApplicationTimedOutError: CocoaError.Code {
        .userActivityRemoteApplicationTimedOut
    }
    public static var userActivityHandoffUserInfoTooLargeError: CocoaError.Code { .userActivityHandoffUserInfoTooLarge }
}

extension CocoaError {
    public static var userActivityHandoffFailedError: CocoaError.Code { .userActivityHandoffFailed }
    public static var userActivityConnectionUnavailableError: CocoaError.Code { .userActivityConnectionUnavailable }
    public static var userActivityRemoteApplicationTimedOutError: CocoaError.Code {
        .userActivityRemoteApplicationTimedOut
    }
    public static var userActivityHandoffUserInfoTooLargeError: CocoaError.Code { .userActivityHandoffUserInfoTooLarge }
}
