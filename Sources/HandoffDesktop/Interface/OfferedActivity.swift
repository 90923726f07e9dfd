// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffWire

package struct OfferedActivity: Hashable, Sendable {
    package let id: ActivityID
    package private(set) var state: ActivityState
    var needsSave = false
    /// The state changes without the program's knowledge, as a position does.
    private(set) var alwaysSaves = false
    /// With the last answer to `Save`. Files are not kept, so the program is asked again.
    var givesFiles = false

    /// `properties`: a `type`, and what `apply` accepts. Throws `.malformed`.
    package init(_ id: ActivityID, _ properties: [String: BusValue]) throws(Failure) {
        self.id = id
        guard let text = properties["type"]?.text else {
            throw Failure(.malformed, "an activity must have a type, which is a string")
        }
        do throws(WireError) {
            state = ActivityState(type: try ActivityType(text))
        } catch {
            throw Failure(.malformed, error.reason)
        }
        try apply(properties)
    }

    /// Other properties keep their values. Nothing changes if this throws.
    mutating func apply(_ properties: [String: BusValue]) throws(Failure) {
        var changed = self
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) { try changed.set(name, to: value) }
        self = changed
    }

    private mutating func set(_ name: String, to value: BusValue) throws(Failure) {
        switch name {
        case "type":
            guard value.text.map({ ExactText($0) }) == ExactText(state.type.name) else {
                throw Failure(.malformed, "the type of an activity cannot be changed")
            }
        case "title": state.title = try text(value, name, Limits.titleBytes)
        case "user-info": state.userInfo = try Self.dictionary(value, name)
        case "content-attributes": state.contentAttributes = try Self.dictionary(value, name)
        case "web-page-url": state.webpageURL = try webPage(value, name)
        case "referrer-url": state.referrerURL = try webPage(value, name)
        case "expires":
            guard let milliseconds = value.integer, Self.times.contains(milliseconds) else {
                throw Self.wrong(name, "a time in milliseconds since 1970, before the year 5000")
            }
            state.expirationDate = Double(milliseconds) / 1000 - Self.epoch
        case "target-content-identifier": state.targetContentIdentifier = try text(value, name)
        case "persistent-identifier": state.persistentIdentifier = try text(value, name)
        case "keywords": state.keywords = try texts(value, name) ?? []
        case "required-keys": state.requiredUserInfoKeys = try texts(value, name)
        case "supports-streams": state.supportsStreams = try flag(value, name)
        case "eligible-for-search": state.isEligibleForSearch = try flag(value, name)
        case "eligible-for-public-indexing": state.isEligibleForPublicIndexing = try flag(value, name)
        case "eligible-for-prediction": state.isEligibleForPrediction = try flag(value, name)
        case "needs-save": needsSave = try flag(value, name)
        case "always-save": alwaysSaves = try flag(value, name)
        default: throw Failure(.malformed, "an activity has no property of that name; docs/dbus.md lists them")
        }
    }

    // MARK: Single properties

    /// Seconds from 1970 to 2001.
    private static let epoch = WallTime.referenceDate

    /// Stored as seconds, these still distinguish milliseconds.
    private static let times: ClosedRange<Int64> = -100_000_000_000_000...100_000_000_000_000

    private static func wrong(_ name: String, _ what: String) -> Failure {
        Failure(.malformed, "\(name) is \(what)")
    }

    private func text(_ value: BusValue, _ name: String, _ limit: Int = Limits.urlBytes) throws(Failure) -> String? {
        guard let text = value.text, text.utf8.count <= limit else {
            throw Self.wrong(name, "a text of at most \(limit) bytes")
        }
        return text.isEmpty ? nil : text
    }

    private func texts(_ value: BusValue, _ name: String) throws(Failure) -> [String]? {
        guard let texts = value.strings, texts.count <= Limits.keywords else {
            throw Self.wrong(name, "a list of at most \(Limits.keywords) texts")
        }
        return texts
    }

    private func flag(_ value: BusValue, _ name: String) throws(Failure) -> Bool {
        guard let flag = value.flag else { throw Self.wrong(name, "true or false") }
        return flag
    }

    private func webPage(_ value: BusValue, _ name: String) throws(Failure) -> String? {
        guard let text = try text(value, name) else { return nil }
        guard WebPageURL.isAllowed(text) else { throw Self.wrong(name, "an address of http or https") }
        return text
    }

    /// No bytes for an empty dictionary.
    private static func dictionary(_ value: BusValue, _ name: String) throws(Failure) -> [UInt8] {
        let value = try Value(bus: value)
        guard case .dictionary(let entries) = value else { throw wrong(name, "a dictionary") }
        guard !entries.isEmpty else { return [] }
        do throws(WireError) {
            return try value.encoded()
        } catch {
            throw Failure(error.code == .tooLarge ? .payloadTooLarge : .malformed, "\(name): \(error.reason)")
        }
    }

    // MARK: For the daemon and for programs

    var publication: Publication {
        Publication(
            activity: id, type: state.type, title: state.title.map { DisplayText(cleaning: $0) },
            supportsStreams: state.supportsStreams, hasWebPage: state.webpageURL != nil,
            expires: Self.milliseconds(state).map(WallTime.init),
            webHost: WebURL.offeredHost(of: state.webpageURL, state.type))
    }

    private static func milliseconds(_ state: ActivityState) -> Int64? {
        state.expirationDate.flatMap { Int64(exactly: (($0 + epoch) * 1000).rounded()) }
    }

    /// Throws `.malformed` if `userInfo` cannot be decoded.
    package static func properties(of state: ActivityState) throws(Failure) -> BusValue {
        var properties: [String: BusValue] = [
            "type": .string(state.type.name), "keywords": .strings(state.keywords.map(\.onBus)),
            "supports-streams": .boolean(state.supportsStreams),
            "eligible-for-search": .boolean(state.isEligibleForSearch),
            "eligible-for-public-indexing": .boolean(state.isEligibleForPublicIndexing),
            "eligible-for-prediction": .boolean(state.isEligibleForPrediction),
        ]
        properties["user-info"] = try bus(state.userInfo)
        if !state.contentAttributes.isEmpty { properties["content-attributes"] = try bus(state.contentAttributes) }
        let texts = [
            "title": state.title, "web-page-url": state.webpageURL, "referrer-url": state.referrerURL,
            "target-content-identifier": state.targetContentIdentifier,
            "persistent-identifier": state.persistentIdentifier,
        ]
        for (name, text) in texts { properties[name] = text.map { .string($0.onBus) } }
        properties["expires"] = milliseconds(state).map(BusValue.int64)
        properties["required-keys"] = state.requiredUserInfoKeys.map { .strings($0.map(\.onBus)) }
        return .properties(properties)
    }

    private static func bus(_ encoded: [UInt8]) throws(Failure) -> BusValue {
        guard !encoded.isEmpty else { return .properties([:]) }
        do throws(WireError) {
            return try Value(encoded: encoded).bus
        } catch {
            throw Failure(.malformed, "the state cannot be read: \(error.reason)")
        }
    }
}

extension String {
    /// Strings on the bus cannot contain zero bytes.
    fileprivate var onBus: String { utf8.contains(0) ? filter { $0 != "\0" } : self }
}
