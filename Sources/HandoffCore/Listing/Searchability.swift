// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension ActivityState {
    /// An activity that names an item of the index is found only together with that item.
    func isSearchable(at now: WallTime, isIndexed: (ExactText) -> Bool) throws(WireError) -> Bool {
        guard isEligibleForSearch, !isExpired(at: now) else { return false }
        guard let item = try attributes()?.relatedUniqueIdentifier else { return true }
        return isIndexed(item)
    }

    /// Whether other people may see it. Without required keys or a page, it means nothing to them.
    func isPubliclyIndexable(at now: WallTime) -> Bool {
        guard isEligibleForPublicIndexing, !isExpired(at: now) else { return false }
        return webpageURL != nil || requiredUserInfoKeys?.isEmpty == false
    }

    /// `wasCurrent`: at any time.
    func isPredictable(wasCurrent: Bool, at now: WallTime) -> Bool {
        isEligibleForPrediction && isEligibleForSearch && wasCurrent && !isExpired(at: now)
    }

    /// A weak relation is ignored.
    func goesWithItem(_ identifier: ExactText) throws(WireError) -> Bool {
        try attributes()?.relatedUniqueIdentifier == identifier
    }

    /// Kept for search and prediction: the required keys, or all keys if the app named none.
    func keptUserInfo() throws(WireError) -> [Value: Value]? {
        guard !userInfo.isEmpty else { return nil }
        guard case .dictionary(let entries) = try Value(encoded: userInfo) else {
            throw WireError(.malformed, "a userInfo is a dictionary")
        }
        guard let requiredUserInfoKeys else { return entries }
        // The app finds its keys by ==, which equates both encodings of é.
        let required = Set(requiredUserInfoKeys)
        return entries.filter { if case .string(let key) = $0.key { required.contains(key.text) } else { false } }
    }

    package func isExpired(at now: WallTime) -> Bool {
        guard let expirationDate else { return false }
        return (expirationDate + WallTime.referenceDate) * 1000 <= Double(now.milliseconds)
    }

    func attributes() throws(WireError) -> ContentAttributes? {
        contentAttributes.isEmpty ? nil : try ContentAttributes(encoded: contentAttributes)
    }
}
