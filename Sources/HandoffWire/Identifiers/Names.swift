// SPDX-License-Identifier: Apache-2.0

/// `com.example.app.editing`.
package struct ActivityType: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Not only ASCII, so compared by bytes.
    private let exact: ExactText
    package var name: String { exact.text }

    package init(_ name: String) throws(WireError) {
        guard !name.isEmpty else { throw WireError(.badIdentifier, "an activity type cannot be empty") }
        guard name.utf8.count <= Limits.activityTypeBytes else {
            throw WireError(.badIdentifier, "an activity type has at most \(Limits.activityTypeBytes) bytes")
        }
        guard !name.unicodeScalars.contains(where: { $0.isInvisible || $0 == " " }) else {
            throw WireError(.badIdentifier, "an activity type cannot contain spaces or control characters")
        }
        exact = ExactText(name)
    }

    private init(wellFormed name: String) { exact = ExactText(name) }

    /// `CSSearchableItemActionType`: an item that an app indexed.
    package static let searchableItem = ActivityType(wellFormed: "com.apple.corespotlightitem")
    /// `CSQueryContinuationActionType`: a search that an app continues.
    package static let queryContinuation = ActivityType(wellFormed: "com.apple.corespotlightquerycontinuation")
    package static let playingMedia = ActivityType(wellFormed: "org.handoff.program.media")
    package static let playingPage = ActivityType(wellFormed: "org.handoff.program.web-media")
    package static let readingDocument = ActivityType(wellFormed: "org.handoff.program.document")
    package static let editingText = ActivityType(wellFormed: "org.handoff.program.text")
    package static let readingMail = ActivityType(wellFormed: "org.handoff.program.mail")
    package static let showingPoint = ActivityType(wellFormed: "org.handoff.program.point")
    package static let showingFolder = ActivityType(wellFormed: "org.handoff.program.folder")
    package static let usingTerminal = ActivityType(wellFormed: "org.handoff.program.terminal")
    /// In a browser or in an app of the page's site.
    package static let browsingWeb = ActivityType(wellFormed: "NSUserActivityTypeBrowsingWeb")

    package var description: String { name }
    package static func < (left: Self, right: Self) -> Bool { left.exact < right.exact }
}

/// `CFBundleIdentifier`: ASCII letters, digits, dots and dashes, so that it cannot climb out of a folder. For a system
/// program, `system:` and its desktop entry's identifier, in the same characters.
package struct BundleID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package static let systemPrefix = "system:"

    package let name: String

    /// An app's. No bundle and no desktop entry can claim to be a system program.
    package init(_ name: String) throws(WireError) {
        guard !name.isEmpty, name.utf8.count <= Limits.bundleIDBytes else {
            throw WireError(.badIdentifier, "a bundle identifier has 1 to \(Limits.bundleIDBytes) bytes")
        }
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isIdentifierCharacter) }) else {
            throw WireError(.badIdentifier, "a bundle identifier has letters, digits and dashes between single dots")
        }
        self.name = name
    }

    /// `entry`: the identifier of a desktop entry, without `.desktop`.
    package init(systemProgram entry: String) throws(WireError) {
        name = Self.systemPrefix + (try BundleID(entry)).name
    }

    package init(appOrProgram name: String) throws(WireError) {
        if name.utf8.starts(with: Self.systemPrefix.utf8) {
            try self.init(systemProgram: String(name.dropFirst(Self.systemPrefix.count)))
        } else {
            try self.init(name)
        }
    }

    package var desktopEntry: String? {
        name.hasPrefix(Self.systemPrefix) ? String(name.dropFirst(Self.systemPrefix.count)) : nil
    }

    package var isSystemProgram: Bool { desktopEntry != nil }

    package var description: String { name }
    package static func < (left: Self, right: Self) -> Bool { left.name < right.name }
}

extension UInt8 {
    var isIdentifierCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

package struct TeamID: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) throws(WireError) {
        let allowed = name.utf8.allSatisfy { character in
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: false
            }
        }
        guard name.utf8.count == 10, allowed else {
            throw WireError(.badIdentifier, "a Team ID is ten characters of A-Z and 0-9")
        }
        self.name = name
    }

    package var description: String { name }
}

/// Anyone can choose the same ten letters, so both must match.
package struct DeveloperTeam: Hashable, Sendable, CustomStringConvertible {
    package let id: TeamID
    package let key: TeamFingerprint

    package init(id: TeamID, key: TeamFingerprint) {
        self.id = id
        self.key = key
    }

    package var description: String { id.name }
}

/// Only apps of one team continue each other's activities.
package enum Team: Hashable, Sendable, CustomStringConvertible {
    /// Scripts, and apps under development.
    case personal(AccountID)
    /// Proved by the signature of the app's bundle.
    case developer(DeveloperTeam)
    /// Installed by the administrators of the account's devices.
    case system(AccountID)

    package var developer: DeveloperTeam? {
        switch self {
        case .personal, .system: nil
        case .developer(let team): team
        }
    }

    package var isOfSystemPrograms: Bool { if case .system = self { true } else { false } }

    package var description: String {
        switch self {
        case .personal: "personal team"
        case .developer(let team): team.description
        case .system: "system programs"
        }
    }
}
