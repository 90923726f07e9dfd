// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffWire

/// The app's own name for a saved activity.
public typealias NSUserActivityPersistentIdentifier = String

// MARK: Types of activities

/// The type of an activity that is a web page: `webpageURL` is what it is about.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

/// The type of an activity by which an item of a search is opened. Its `userInfo` has
/// `CSSearchableItemActivityIdentifier`. There is no index on this system yet that would send one.
public let CSSearchableItemActionType = "com.apple.corespotlightitem"

/// The type of an activity by which a search goes on in the app. Its `userInfo` has `CSSearchQueryString`. There is no
/// index on this system yet that would send one.
public let CSQueryContinuationActionType = "com.apple.corespotlightquerycontinuation"

// MARK: Keys of userInfo

/// The key under which `userInfo` has the URL of the document that the activity is about. `UIDocument.userActivityURLKey`
/// is its other name.
public let NSUserActivityDocumentURLKey = "NSUserActivityDocumentURL"

/// The key under which the `userInfo` of a `CSSearchableItemActionType` has the item's identifier, a string.
public let CSSearchableItemActivityIdentifier = "kCSSearchableItemActivityIdentifier"

/// The key under which the `userInfo` of a `CSQueryContinuationActionType` has what the user looks for, a string.
public let CSSearchQueryString = "kCSSearchQueryString"

extension [Value: Value] {
    /// Under another text by versions of this project until 2026-11; Apple's is what counts.
    private static let formerKeys = [
        "NSUserActivityDocumentURLKey": NSUserActivityDocumentURLKey, "CSSearchQueryString": CSSearchQueryString,
    ]

    /// What another device put in under a former key is here under today's too.
    var withKeysOfToday: Self {
        var entries = self
        for (former, key) in Self.formerKeys where entries[.string(key)] == nil {
            entries[.string(key)] = self[.string(former)]
        }
        return entries
    }
}

// MARK: Errors

/// The first of the codes of `CocoaError` that are for activities.
public let NSUserActivityErrorMinimum = 4608
/// The last of the codes of `CocoaError` that are for activities.
public let NSUserActivityErrorMaximum = 4863

// Foundation has the codes themselves; these are their longer spellings.
extension CocoaError.Code {
    /// 4608: the activity's content is not to be had, for instance as its device or its app is gone.
    public static var userActivityHandoffFailedError: CocoaError.Code { .userActivityHandoffFailed }
    /// 4609: there is no way to the device that the activity is on.
    public static var userActivityConnectionUnavailableError: CocoaError.Code { .userActivityConnectionUnavailable }
    /// 4610: the app that the activity comes from did not save it in time.
    public static var userActivityRemoteApplicationTimedOutError: CocoaError.Code {
        .userActivityRemoteApplicationTimedOut
    }
    /// 4611: the activity's `userInfo` has more than 128 KiB, encoded.
    public static var userActivityHandoffUserInfoTooLargeError: CocoaError.Code { .userActivityHandoffUserInfoTooLarge }
}

extension CocoaError {
    /// 4608: the activity's content is not to be had, for instance as its device or its app is gone.
    public static var userActivityHandoffFailedError: CocoaError.Code { .userActivityHandoffFailed }
    /// 4609: there is no way to the device that the activity is on.
    public static var userActivityConnectionUnavailableError: CocoaError.Code { .userActivityConnectionUnavailable }
    /// 4610: the app that the activity comes from did not save it in time.
    public static var userActivityRemoteApplicationTimedOutError: CocoaError.Code {
        .userActivityRemoteApplicationTimedOut
    }
    /// 4611: the activity's `userInfo` has more than 128 KiB, encoded.
    public static var userActivityHandoffUserInfoTooLargeError: CocoaError.Code { .userActivityHandoffUserInfoTooLarge }
}
