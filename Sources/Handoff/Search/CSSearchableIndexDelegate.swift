// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Told by an index what it lost and wants again. There is no index on this system yet, so none of it is called.
///
/// Any class will do; on Apple's systems it derives from NSObject. All but the first two are optional.
public protocol CSSearchableIndexDelegate: AnyObject {
    /// The index was lost: index everything again, and call `acknowledgementHandler` when that is safe.
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping () -> Void)
    /// These items were lost: index them again, and call `acknowledgementHandler` when that is safe.
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping () -> Void)
    /// The index goes slower now, to save power.
    func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex)
    /// It does not any more.
    func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex)
    /// The item's content as data of that type. Without this method it throws.
    func data(for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String) throws -> Data
    /// The item's content as a file of that type. Without this method it throws.
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
