// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffWire

struct ActivityContent: Sendable {
    var title: String?
    /// Not nil, so that `userInfo?[key] = value` works, as on Apple's systems.
    var userInfo: [Value: Value]? = [:]
    var webpageURL: URL?
    var referrerURL: URL?
    var expirationDate: Date?
    var keywords: Set<String> = []
    var requiredUserInfoKeys: Set<String>?
    var targetContentIdentifier: String?
    var persistentIdentifier: String?
    /// A copy of the app's.
    var contentAttributeSet: CSSearchableItemAttributeSet?
    /// Not sent to other devices.
    var suggestedInvocationPhrase: String?
    /// The delegate is asked once.
    var needsSave = true
    var supportsContinuationStreams = false
    var isEligibleForHandoff = true
    var isEligibleForSearch = false
    var isEligibleForPublicIndexing = false
    var isEligibleForPrediction = false

    init() {}

    /// The part that other devices may see.
    func publication(of activity: ActivityID, type: ActivityType, at now: Date) -> Publication? {
        guard isEligibleForHandoff, !isExpired(at: now) else { return nil }
        return Publication(
            activity: activity, type: type, title: title.map { DisplayText(cleaning: $0) },
            supportsStreams: supportsContinuationStreams, hasWebPage: webpageURL != nil,
            expires: expirationDate.map { WallTime(milliseconds: Int64(clampingMilliseconds: $0)) },
            webHost: WebURL.offeredHost(of: webpageURL?.absoluteString, type))
    }

    /// Tells the user why nothing is offered; also for the history.
    func withheld(_ activity: ActivityID, type: ActivityType, at now: Date) -> WithheldActivity? {
        guard !isEligibleForHandoff else { return nil }
        return WithheldActivity(type, activity: isEligibleForSearch && !isExpired(at: now) ? activity : nil)
    }

    /// An invalid date does not expire.
    func isExpired(at now: Date) -> Bool {
        guard let expirationDate else { return false }
        return expirationDate.timeIntervalSinceReferenceDate <= now.timeIntervalSinceReferenceDate
    }

    /// For the other device's app. Throws `.payloadTooLarge`. Omits or truncates other parts that the daemon would
    /// reject.
    func state(of type: ActivityType) throws(Failure) -> ActivityState {
        ActivityState(
            type: type, title: title?.prefix(bytes: Limits.titleBytes), userInfo: try encodedUserInfo(),
            webpageURL: webpageURL?.absoluteString,
            referrerURL: (referrerURL?.absoluteString).flatMap { $0.utf8.count <= Limits.urlBytes ? $0 : nil },
            expirationDate: expirationDate?.timeIntervalSinceReferenceDate,
            targetContentIdentifier: targetContentIdentifier, persistentIdentifier: persistentIdentifier,
            keywords: Array(keywords.sorted().prefix(Limits.keywords)),
            requiredUserInfoKeys: requiredUserInfoKeys.map { Array($0.sorted().prefix(Limits.keywords)) },
            supportsStreams: supportsContinuationStreams, isEligibleForSearch: isEligibleForSearch,
            isEligibleForPublicIndexing: isEligibleForPublicIndexing, isEligibleForPrediction: isEligibleForPrediction,
            contentAttributes: contentAttributeSet?.content.encoded() ?? [])
    }

    private func encodedUserInfo() throws(Failure) -> [UInt8] {
        guard let userInfo, !userInfo.isEmpty else { return [] }
        do throws(WireError) {
            return try Value.dictionary(userInfo).encoded()
        } catch {
            guard error.code == .tooLarge else {
                throw Failure(.malformed, "the activity's userInfo cannot be sent: \(error.reason)")
            }
            throw Failure(.payloadTooLarge, "the activity's userInfo is too large: \(error.reason)")
        }
    }

    /// Throws `.malformed` for a state that no app of this project sent.
    init(_ state: ActivityState) throws(Failure) {
        title = state.title
        if !state.userInfo.isEmpty {
            guard let value = try? Value(encoded: state.userInfo), case .dictionary(let entries) = value else {
                throw Failure(.malformed, "the activity's userInfo cannot be read")
            }
            guard !value.holdsEqualsOfSwift else {
                throw Failure(
                    .malformed, "the activity's userInfo has two keys, or members of a set, that Swift considers equal")
            }
            userInfo = entries.withKeysOfToday
        }
        needsSave = false
        webpageURL = state.webpageURL.flatMap { URL(string: $0) }
        referrerURL = state.referrerURL.flatMap { URL(string: $0) }
        expirationDate = state.expirationDate.map { Date(timeIntervalSinceReferenceDate: $0) }
        keywords = Set(state.keywords)
        requiredUserInfoKeys = state.requiredUserInfoKeys.map { Set($0) }
        targetContentIdentifier = state.targetContentIdentifier
        persistentIdentifier = state.persistentIdentifier
        supportsContinuationStreams = state.supportsStreams
        isEligibleForSearch = state.isEligibleForSearch
        isEligibleForPublicIndexing = state.isEligibleForPublicIndexing
        isEligibleForPrediction = state.isEligibleForPrediction
        if !state.contentAttributes.isEmpty {
            guard let attributes = try? ContentAttributes(encoded: state.contentAttributes) else {
                throw Failure(.malformed, "the activity's content attributes cannot be read")
            }
            contentAttributeSet = CSSearchableItemAttributeSet(attributes)
        }
    }
}

extension Int64 {
    /// Clamps, for dates such as `Date.distantFuture`.
    fileprivate init(clampingMilliseconds date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self = Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }
}

extension String {
    /// Whole characters within `bytes` of UTF-8.
    fileprivate func prefix(bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = startIndex
        var count = 0
        for index in indices {
            count += self[index].utf8.count
            guard count <= bytes else { break }
            end = self.index(after: index)
        }
        return String(self[..<end])
    }
}
