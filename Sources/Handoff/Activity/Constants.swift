// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffWire

/// The app's name for a saved activity.
public typealias NSUserActivityPersistentIdentifier = String

// MARK: Activity types

/// The type of an activity for a web page, `webpageURL`.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

/// Opens an item found by a search: `CSSearchableItemActivityIdentifier` in `userInfo`.
public let CSSearchableItemActionType = "com.apple.corespotlightitem"

/// Continues a search in the app: `CSSearchQueryString` in `userInfo`. The app's Info.plist needs
/// `CoreSpotlightContinuation`.
public let CSQueryContinuationActionType = "com.apple.corespotlightquerycontinuation"

// MARK: Keys of userInfo

/// The `userInfo` key for the document's URL; the value of `UIDocument.userActivityURLKey`.
public let NSUserActivityDocumentURLKey = "NSUserActivityDocumentURL"

/// The `userInfo` key for an item's identifier, a string; for `CSSearchableItemActionType`.
public let CSSearchableItemActivityIdentifier = "kCSSearchableItemActivityIdentifier"

/// The `userInfo` key for a search text, a string; for `CSQueryContinuationActionType`.
public let CSSearchQueryString = "kCSSearchQueryString"

extension [Value: Value] {
    /// Sent by versions until 2026-11.
    private static let formerKeys = [
        "NSUserActivityDocumentURLKey": NSUserActivityDocumentURLKey, "CSSearchQueryString": CSSearchQueryString,
    ]

    var withKeysOfToday: Self {
        var entries = self
        for (former, key) in Self.formerKeys where entries[.string(key)] == nil {
            entries[.string(key)] = self[.string(former)]
        }
        return entries
    }
}

// MARK: Errors

/// The lowest `CocoaError` code for activities.
public let NSUserActivityErrorMinimum = 4608
/// The highest `CocoaError` code for activities.
public let NSUserActivityErrorMaximum = 4863

// Longer spellings of Foundation's codes.
extension CocoaError.Code {
    /// 4608: the content is unavailable, for instance because its app is gone.
    public static var userActivityHandoffFailedError: CocoaError.Code { .userActivityHandoffFailed }
    /// 4609: the origin device cannot be reached.
    public static var userActivityConnectionUnavailableError: CocoaError.Code { .userActivityConnectionUnavailable }
    /// 4610: the origin app did not save in time.
    public static var userActivityRemoteApplicationTimedOutError: CocoaError.Code {
        .userActivityRemoteApplicationTimedOut
    }
    /// 4611: `userInfo` exceeds 128 KiB, encoded.
    public static var userActivityHandoffUserInfoTooLargeError: CocoaError.Code { .userActivityHandoffUserInfoTooLarge }
}

extension CocoaError {
    /// 4608: the content is unavailable.
    public static var userActivityHandoffFailedError: CocoaError.Code { .userActivityHandoffFailed }
    /// 4609: the origin device cannot be reached.
    public static var userActivityConnectionUnavailableError: CocoaError.Code { .userActivityConnectionUnavailable }
    /// 4610: the origin app did not save in time.
    public static var userActivityRemoteApplicationTimedOutError: CocoaError.Code {
        .userActivityRemoteApplicationTimedOut
    }
    /// 4611: `userInfo` exceeds 128 KiB, encoded.
    public static var userActivityHandoffUserInfoTooLargeError: CocoaError.Code { .userActivityHandoffUserInfoTooLarge }
}
