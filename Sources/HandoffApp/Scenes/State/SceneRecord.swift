// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct SceneRecord: Hashable, Sendable {
    /// The session's `persistentIdentifier`.
    package var identifier: String
    package var role: String
    package var configuration: String?
    /// Seconds since 2001-01-01.
    package var lastUsed: Double
    package var activity: ActivityState?
    /// An encoded `Value` that holds a dictionary.
    package var userInfo: [UInt8]?

    package init(
        identifier: String, role: String, configuration: String? = nil, lastUsed: Double,
        activity: ActivityState? = nil, userInfo: [UInt8]? = nil
    ) {
        self.identifier = identifier
        self.role = role
        self.configuration = configuration
        self.lastUsed = lastUsed
        self.activity = activity
        self.userInfo = userInfo
    }

    var isWorthKeeping: Bool { activity != nil || userInfo != nil }

    private enum Key {
        static let role = Value.string("role")
        static let configuration = Value.string("configuration")
        static let lastUsed = Value.string("lastUsed")
        static let activity = Value.string("activity")
        static let userInfo = Value.string("userInfo")
    }

    /// Without the identifier, which is the file's name. Throws `.tooLarge`.
    package func encoded() throws(WireError) -> [UInt8] {
        var entries: [Value: Value] = [Key.role: .string(role), Key.lastUsed: .date(lastUsed)]
        if let configuration { entries[Key.configuration] = .string(configuration) }
        if let activity { entries[Key.activity] = .bytes(try activity.encoded()) }
        if let userInfo { entries[Key.userInfo] = .bytes(userInfo) }
        return try Value.dictionary(entries).encoded()
    }
}

extension SceneRecord {
    /// Throws `.malformed` and the errors of values and activities.
    init(identifier: String, encoded bytes: [UInt8]) throws(WireError) {
        guard case .dictionary(let entries) = try Value(encoded: bytes), case .string(let role)? = entries[Key.role],
            case .date(let lastUsed)? = entries[Key.lastUsed]
        else { throw WireError(.malformed, "not the saved state of a scene") }
        self.init(identifier: identifier, role: role.text, lastUsed: lastUsed)
        if case .string(let name)? = entries[Key.configuration] { configuration = name.text }
        if case .bytes(let bytes)? = entries[Key.activity] { activity = try ActivityState(encoded: bytes) }
        if case .bytes(let bytes)? = entries[Key.userInfo] { userInfo = bytes }
    }
}

package struct SceneStateError: Error, Hashable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        /// Not a scene file.
        case notAState
        case tooOld(version: UInt8)
        case tooNew(version: UInt8)
        /// Written with another key, for another app or scene, or damaged.
        case notOurs
        /// Authentic but not decodable.
        case malformed(String)
        case key(String)
        /// This machine lacks libcrypto.
        case noCipher
        case disk(String)
    }

    let kind: Kind

    package var description: String {
        switch kind {
        case .notAState: "it is not the state of a scene"
        case .tooOld(let version): "it has version \(version), which is too old"
        case .tooNew(let version): "it has version \(version), which a newer version of the app wrote"
        case .notOurs: "it is damaged, or was written with another key or for another app or scene"
        case .malformed(let reason): "it cannot be understood: \(reason)"
        case .key(let reason): reason
        case .noCipher: "libcrypto.so.3, which encrypts it, is not on this machine; Debian's package is libssl3"
        case .disk(let reason): reason
        }
    }
}
