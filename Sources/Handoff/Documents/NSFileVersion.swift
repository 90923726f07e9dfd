// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// A document's version: the current file, this device's version from a conflict (a copy next to the file, `Letter
/// (laptop, 2026-11-22 15.14).txt`), or a version that another device's replaced, kept for a week.
///
/// ```swift
/// for version in NSFileVersion.unresolvedConflictVersionsOfItem(at: url) ?? [] {
///     text += try String(contentsOf: version.url, encoding: .utf8)
///     version.isResolved = true
/// }
/// try NSFileVersion.removeOtherVersionsOfItem(at: url)
/// ```
///
/// Objects are equal if they are the same version.
//
// Unchecked because NSObject is not Sendable; the other properties are constant.
open class NSFileVersion: NSObject, @unchecked Sendable {
    enum Kind: Sendable, Hashable {
        case current
        case conflictCopy(deviceName: String?)
        case kept(KeptVersion)
    }

    /// Options for replacing a file with a version.
    public struct ReplacingOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Removes the version afterwards.
        public static let byMoving = Self(rawValue: 1 << 0)
    }

    let kind: Kind
    let item: FilePlace
    let file: FilePlace
    let center: ActivityCenter
    private let modified: Date?

    init?(_ kind: Kind, at file: FilePlace, of item: FilePlace, in center: ActivityCenter) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.text) else { return nil }
        self.kind = kind
        self.file = file
        self.item = item
        self.center = center
        modified = attributes[.modificationDate] as? Date
        super.init()
    }

    convenience init?(conflictCopy file: FilePlace, of item: FilePlace, in center: ActivityCenter) {
        let deviceName = DocumentName.device(ofConflictCopy: Array(file.name))
        self.init(.conflictCopy(deviceName: deviceName), at: file, of: item, in: center)
    }

    // MARK: Properties

    /// The URL for reading the version.
    open var url: URL { file.url }

    /// The document's name, for display.
    open var localizedName: String? { String(decoding: item.name, as: UTF8.self) }

    /// The version's device: this device for replaced versions; nil for the current version and if unknown.
    open var localizedNameOfSavingComputer: String? {
        switch kind {
        case .conflictCopy(let deviceName): deviceName
        case .current, .kept: nil
        }
    }

    /// Always nil: the user's name is unknown.
    open var originatorNameComponents: PersonNameComponents? { nil }

    /// When the version was last written.
    open var modificationDate: Date? { modified }

    /// For `version(itemAt:forPersistentIdentifier:)`, also in other runs of the app.
    open var persistentIdentifier: any NSCoding { NSString(string: identifier) }

    private var identifier: String {
        switch kind {
        case .current: "current"
        case .conflictCopy: file.text
        case .kept(let version): version.id.description
        }
    }

    /// Whether the version was saved in a conflict.
    open var isConflict: Bool {
        if case .conflictCopy = kind { true } else { false }
    }

    /// Whether the user has resolved the conflict; true for other versions. Stored in the file's extended attributes if
    /// supported, else until the app quits. Notifies presenters.
    open var isResolved: Bool {
        get { !isConflict || center.isResolved(file) }
        set {
            guard isConflict, newValue != isResolved else { return }
            center.setResolved(newValue, file)
            if newValue { center.coordination.tell(.resolved, self, of: item) }
        }
    }

    /// Whether the version is deleted automatically. The setter has no effect.
    open var isDiscardable: Bool {
        get { if case .kept = kind { true } else { false } }
        set {}
    }

    /// Always true.
    open var hasLocalContents: Bool { true }
    /// Always false.
    open var hasThumbnail: Bool { false }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFileVersion else { return false }
        return item == other.item && identifier == other.identifier
    }

    open override var hash: Int { identifier.hashValue }

    // MARK: Replacing and removing

    /// Puts this version at `url` atomically and returns `url`. Deletes the previous file unless it is a version. A
    /// kept version returns to its own place, in exchange for the current file.
    @discardableResult
    open func replaceItem(at url: URL, options: ReplacingOptions = []) throws -> URL {
        guard let target = FilePlace(url) else { throw CocoaError(.fileWriteUnsupportedScheme) }
        if case .kept(let version) = kind, target == item {
            try center.restore(version)
        } else if target != file {
            try put(at: target, byMoving: options.contains(.byMoving) && isConflict)
        }
        center.coordination.tellChange(at: target)
        return url
    }

    private func put(at target: FilePlace, byMoving: Bool) throws {
        let folder = target.folder?.url ?? target.url.deletingLastPathComponent()
        // The name pattern of files in transit.
        let arriving = folder.appending(path: ".handoff-\(UUID().uuidString)")
        do {
            try FileManager.default.copyItem(at: file.url, to: arriving)
            // Foundation's replaceItemAt on Linux deletes the old file, and then fails to move the new file.
            let old = try ReplacedFile.replace(target.text, with: arriving.path)
            try old.map { try FileManager.default.removeItem(atPath: $0) }
        } catch {
            try? FileManager.default.removeItem(at: arriving)
            throw error
        }
        if byMoving { try remove() }
    }

    /// Deletes a conflict copy. Throws `CocoaError.featureUnsupported` for the current version and for kept versions.
    open func remove() throws {
        guard isConflict else { throw CocoaError(.featureUnsupported, userInfo: [NSURLErrorKey: url]) }
        try FileManager.default.removeItem(at: file.url)
        center.forget(conflictCopy: file, of: item)
        center.coordination.tell(.lost, self, of: item)
    }

    /// Deletes all conflict copies. Kept versions are deleted automatically.
    open class func removeOtherVersionsOfItem(at url: URL) throws {
        for version in conflictVersions(of: url) { try version.remove() }
    }
}
