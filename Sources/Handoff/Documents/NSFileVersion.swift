// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// One of the versions of a document: what lies there, what lay there when two devices had changed it (a copy beside it,
/// `Letter (laptop, 2026-11-22 15.14).txt`), or what another device's version replaced here, which the daemon keeps for a
/// week.
///
/// ```swift
/// for version in NSFileVersion.unresolvedConflictVersionsOfItem(at: url) ?? [] {
///     text += try String(contentsOf: version.url, encoding: .utf8)
///     version.isResolved = true
/// }
/// try NSFileVersion.removeOtherVersionsOfItem(at: url)
/// ```
///
/// Two are equal if they are the same version.
//
// Unchecked because NSObject is not Sendable; all there is beside it is constant.
open class NSFileVersion: NSObject, @unchecked Sendable {
    enum Kind: Sendable, Hashable {
        case current
        case conflictCopy(deviceName: String?)
        /// By the daemon.
        case kept(KeptVersion)
    }

    /// How a version takes the place of a file.
    public struct ReplacingOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// It is no version of its own any more.
        public static let byMoving = Self(rawValue: 1 << 0)
    }

    let kind: Kind
    let item: FilePlace
    let file: FilePlace
    let center: ActivityCenter
    private let modified: Date?

    /// Nil where there is no such file.
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

    // MARK: What it is

    /// Where it can be read.
    open var url: URL { file.url }

    /// Of the document, for people.
    open var localizedName: String? { String(decoding: item.name, as: UTF8.self) }

    /// Of the device that it is from; nil for what is current, and where that is not known. What was replaced is from this
    /// device.
    open var localizedNameOfSavingComputer: String? {
        switch kind {
        case .conflictCopy(let deviceName): deviceName
        case .current, .kept: nil
        }
    }

    /// Always nil: a device's name is known, not its user's.
    open var originatorNameComponents: PersonNameComponents? { nil }

    /// When it was written last.
    open var modificationDate: Date? { modified }

    /// By which `version(itemAt:forPersistentIdentifier:)` finds it again, in another run too.
    open var persistentIdentifier: any NSCoding { NSString(string: identifier) }

    private var identifier: String {
        switch kind {
        case .current: "current"
        case .conflictCopy: file.text
        case .kept(let version): version.id.description
        }
    }

    /// Whether it is what was there when two devices had changed the document.
    open var isConflict: Bool {
        if case .conflictCopy = kind { true } else { false }
    }

    /// Of a version in conflict: whether the user has settled what to do about it. Kept with the file where its file system
    /// can (extended attributes), else until the app quits. Presenters of the document are told. True for another version.
    open var isResolved: Bool {
        get { !isConflict || center.isResolved(file) }
        set {
            guard isConflict, newValue != isResolved else { return }
            center.setResolved(newValue, file)
            if newValue { center.coordination.tell(.resolved, self, of: item) }
        }
    }

    /// Whether it goes by itself after a while. Setting it has no effect.
    open var isDiscardable: Bool {
        get { if case .kept = kind { true } else { false } }
        set {}
    }

    /// All are.
    open var hasLocalContents: Bool { true }
    /// None has.
    open var hasThumbnail: Bool { false }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFileVersion else { return false }
        return item == other.item && identifier == other.identifier
    }

    open override var hash: Int { identifier.hashValue }

    // MARK: What is done with it

    /// Puts this version at `url`, in one step: what lies there, and is not a version itself, is gone. A version that was
    /// kept goes back where it lay, and what is there now is kept in its place. Returns `url`.
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
        // The name that files on their way have.
        let arriving = folder.appending(path: ".handoff-\(UUID().uuidString)")
        do {
            try FileManager.default.copyItem(at: file.url, to: arriving)
            // Foundation's replaceItemAt here removes what is there before it moves the other, and fails.
            let old = try ReplacedFile.replace(target.text, with: arriving.path)
            try old.map { try FileManager.default.removeItem(atPath: $0) }
        } catch {
            try? FileManager.default.removeItem(at: arriving)
            throw error
        }
        if byMoving { try remove() }
    }

    /// Removes a copy of a conflict from the disk. Throws `CocoaError.featureUnsupported` for what is current, and for what
    /// was kept, which goes by itself.
    open func remove() throws {
        guard isConflict else { throw CocoaError(.featureUnsupported, userInfo: [NSURLErrorKey: url]) }
        try FileManager.default.removeItem(at: file.url)
        center.forget(conflictCopy: file, of: item)
        center.coordination.tell(.lost, self, of: item)
    }

    /// Removes all copies of conflicts. What the daemon keeps goes by itself.
    open class func removeOtherVersionsOfItem(at url: URL) throws {
        for version in conflictVersions(of: url) { try version.remove() }
    }
}
