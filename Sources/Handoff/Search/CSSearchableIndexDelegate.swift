// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Indexes items again after the index lost them. Not called yet.
///
/// Any class may conform; on Apple's systems it derives from NSObject. Only the first two methods are required.
public protocol CSSearchableIndexDelegate: AnyObject {
    /// Index all items again, then call `acknowledgementHandler`.
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping () -> Void)
    /// Index these items again, then call `acknowledgementHandler`.
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping () -> Void)
    /// The index is throttled to save power.
    func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex)
    /// The throttling has ended.
    func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex)
    /// Returns the item's content as data. The default throws.
    func data(for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String) throws -> Data
    /// Returns the item's content as a file. The default throws.
    func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String, inPlace: Bool
    ) throws -> URL
}

extension CSSearchableIndexDelegate {
    public func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) {}
    public func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) {}
    public func data(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data {
        throw CSIndexError(.invalidItemError)
    }
    public func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String, inPlace: Bool
    ) throws -> URL {
        throw CSIndexError(.invalidItemError)
    }
}
