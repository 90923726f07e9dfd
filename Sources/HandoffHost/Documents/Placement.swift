// SPDX-License-Identifier: Apache-2.0

import CHandoffSystem
import Glibc
import HandoffCore
import HandoffSystem
import HandoffWire

struct Placement: ~Copyable {
    let folder: OpenFile
    let name: [UInt8]
    private let root: AbsolutePath
    private let path: DocumentPath
    let order: PlacementOrder
    let staging: Staging
    let versions: VersionStore
    /// The previous package has the name `aside`.
    private var hasMovedAside = false

    /// `folder` is the parent of `path` in `root`.
    init(
        of order: PlacementOrder, in folder: consuming OpenFile, of root: AbsolutePath, at path: DocumentPath,
        staging: Staging, versions: VersionStore
    ) {
        self.folder = folder
        self.root = root
        self.path = path
        self.order = order
        self.staging = staging
        self.versions = versions
        name = Array(path.name)
    }

    mutating func run(_ unplaced: inout UnplacedDocument) throws(Failure) -> PlacementEnd {
        let there = try placing { () throws(SystemError) in try folder.status(of: name) }
        var machine = PlacementStateMachine(
            PlacementPlan(
                replaces: order.replaces, keepsCopy: order.conflictCopy != nil,
                isFolder: unplaced.isFolder || there?.kind == S_IFDIR, isNamed: unplaced.hidden != nil))
        var action = machine.begun()
        while case .perform(let step) = action {
            do throws(Failure) {
                action = try perform(step, &unplaced, &machine)
            } catch {
                action = machine.failed(error)
            }
        }
        // Another program changed it, so it exists nowhere else and is left to the user.
        if hasMovedAside { staging.letGoAside(order.version) }
        guard case .end(let end) = action else { preconditionFailure("what is not performed is an end") }
        return end
    }

    private mutating func perform(
        _ step: PlacementStep, _ unplaced: inout UnplacedDocument, _ machine: inout PlacementStateMachine
    ) throws(Failure) -> PlacementAction {
        switch step {
        case .look: return machine.looked(try Self.version(of: name, in: folder))
        case .keep: return machine.kept(try keep(name, in: folder, as: order.replaces))
        case .copy:
            guard let version = try copy() else { return machine.nameChanged() }
            return machine.kept(version)
        case .giveName: unplaced.hidden = try staging.giveName(to: unplaced.item, for: folder)
        case .exchange:
            switch try swap(unplaced) {
            case .done: break
            case .unsupported: return machine.unsupported()
            case .nameChanged: return machine.nameChanged()
            }
        case .lookAtReplaced:
            if hasMovedAside { return machine.looked(try Self.version(of: aside, in: folder)) }
            guard let hidden = unplaced.hidden else { return machine.looked(nil) }
            return machine.looked(try Self.version(of: hidden.bytes, in: hidden.stage.folder))
        case .exchangeBack: try swapBack(unplaced)
        case .replace: guard try replace(&unplaced) else { return machine.nameChanged() }
        case .moveAside:
            let aside = try staging.makeAside(order.version, in: folder)
            guard try rename(name, to: aside) else {
                staging.letGoAside(order.version)
                return machine.nameChanged()
            }
            hasMovedAside = true
        case .moveBack:
            guard try rename(aside, to: name) else { return machine.nameChanged() }
            hasMovedAside = false
            staging.letGoAside(order.version)
        case .takeName: guard try takeName(&unplaced) else { return machine.nameChanged() }
        case .removeReplaced: try removeReplaced(&unplaced)
        case .sync: try sync()
        case .removeUnplaced: unplaced.hidden?.remove()
        case .removeCopy: try removeCopy()
        case .removeVersion: try versions.remove(order.version)
        }
        return machine.done()
    }

    // MARK: The previous document

    func keep(
        _ name: [UInt8], in folder: borrowing OpenFile, as version: FileVersion?
    ) throws(Failure) -> FileVersion {
        let there = try placing { () throws(SystemError) in try folder.status(of: name) }
        let document = KeptDocument(
            folder: root, path: path, size: version?.size ?? 0,
            modified: version?.modified ?? FileTime(nanoseconds: 0), kept: order.now,
            deviceName: order.deviceName, isPackage: there?.kind == S_IFDIR,
            mode: UInt16((there?.permissions ?? 0) & 0o777))
        // The conflict copy has the files themselves, so the version needs copies.
        return try versions.keep(
            order.version, name, in: folder, sharing: order.conflictCopy == nil, as: document)
    }

    /// Nil if the name is taken.
    private func copy() throws(Failure) -> FileVersion? {
        guard let copyName = order.conflictCopy?.name else { return try Self.version(of: name, in: folder) }
        let isPackage = try placing { () throws(SystemError) in try folder.status(of: name) }?.kind == S_IFDIR
        let stage = try staging.stage(for: folder)
        let hidden = try placing { () throws(SystemError) in try staging.makeItem(on: stage) }
        let version = try Duplicate(disk: staging.disk, sharesFiles: true).make(
            hidden.bytes, in: stage.folder, of: name, in: folder)
        guard try rename(hidden.bytes, in: stage.folder, to: Array(copyName)) else { return nil }
        hidden.letGo()
        if isPackage, let copy = try? folder.open(Array(copyName), O_RDONLY | O_DIRECTORY) {
            fchmod(copy.descriptor, mode_t(version.mode))
        }
        // A new link changes the file's version.
        return try Self.version(of: name, in: folder) ?? version
    }

    private func removeCopy() throws(Failure) {
        guard let copyName = order.conflictCopy?.name else { return }
        try placing { () throws(SystemError) in try folder.removeTree(Array(copyName)) }
    }

    private var aside: [UInt8] { HiddenName(order.version, isAside: true).bytes }

    private mutating func removeReplaced(_ unplaced: inout UnplacedDocument) throws(Failure) {
        guard hasMovedAside else {
            unplaced.hidden?.remove()
            unplaced.hidden = nil
            return
        }
        hasMovedAside = false
        do throws(SystemError) { try folder.removeTree(aside) } catch {
            staging.leaveAside(order.version)
            throw Failure(placing: error)
        }
        staging.letGoAside(order.version)
    }
}

// Swaps and renames.
extension Placement {
    enum Swap {
        case done
        case unsupported
        case nameChanged
    }

    /// Nil if the name is free.
    static func version(of name: [UInt8], in folder: borrowing OpenFile) throws(Failure) -> FileVersion? {
        guard let status = try placing({ () throws(SystemError) in try folder.status(of: name) }) else { return nil }
        guard status.kind == S_IFDIR else { return FileVersion(status) }
        return try PackageTree(
            of: try placing { () throws(SystemError) in try folder.open(name, O_RDONLY | O_DIRECTORY) }
        ).version
    }

    func swap(_ unplaced: borrowing UnplacedDocument) throws(Failure) -> Swap {
        guard let hidden = unplaced.hidden else { return .unsupported }
        do throws(SystemError) {
            let isDone = try staging.disk.swap(hidden.bytes, in: hidden.stage.folder, with: name, in: folder)
            return isDone ? .done : .unsupported
        } catch let error where error.code == ENOENT {
            return .nameChanged
        } catch {
            throw Failure(placing: error)
        }
    }

    func swapBack(_ unplaced: borrowing UnplacedDocument) throws(Failure) {
        let changed = Failure(.documentChanged, "\(folder.path(of: name)) was written to while it was replaced")
        do throws(Failure) {
            guard case .done = try swap(unplaced) else { throw changed }
            if try hasCome(back: unplaced) { return }
            try keepWhatCameBack(unplaced)
        } catch {
            // The item with the hidden name exists nowhere else.
            unplaced.hidden?.leave()
            throw error
        }
        throw changed
    }

    /// False if another program replaced our item, so that the hidden name holds that program's item.
    private func hasCome(back unplaced: borrowing UnplacedDocument) throws(Failure) -> Bool {
        guard let hidden = unplaced.hidden else { return true }
        let (there, ours) = try placing { () throws(SystemError) in
            (try hidden.stage.folder.status(of: hidden.bytes), try unplaced.item.status())
        }
        return there?.st_ino == ours.st_ino && there?.st_dev == ours.st_dev
    }

    /// Keeps that item as the version, because the other program had replaced the expected one.
    private func keepWhatCameBack(_ unplaced: borrowing UnplacedDocument) throws(Failure) {
        guard let hidden = unplaced.hidden else { return }
        try versions.remove(order.version)
        let version = try Self.version(of: hidden.bytes, in: hidden.stage.folder)
        _ = try keep(hidden.bytes, in: hidden.stage.folder, as: version)
        hidden.remove()
    }

    /// False if a file cannot replace the current item.
    func replace(_ unplaced: inout UnplacedDocument) throws(Failure) -> Bool {
        guard let hidden = unplaced.hidden else { return false }
        let result = renameat(
            hidden.stage.folder.descriptor, hidden.bytes.cString, folder.descriptor, name.cString)
        guard result == 0 else {
            switch errno {
            case EISDIR, ENOTDIR, ENOTEMPTY, EEXIST: return false
            default: throw Failure(placing: SystemError(errno, folder.path(of: name)))
            }
        }
        hidden.letGo()
        unplaced.hidden = nil
        return true
    }

    /// False if it is taken.
    func takeName(_ unplaced: inout UnplacedDocument) throws(Failure) -> Bool {
        if let hidden = unplaced.hidden {
            guard try rename(hidden.bytes, in: hidden.stage.folder, to: name) else { return false }
            hidden.letGo()
            unplaced.hidden = nil
            return true
        }
        do throws(SystemError) {
            try staging.disk.giveName(name, in: folder, to: unplaced.item)
            return true
        } catch let error where error.code == EEXIST {
            return false
        } catch {
            throw Failure(placing: error)
        }
    }

    func rename(_ name: [UInt8], to newName: [UInt8]) throws(Failure) -> Bool {
        try rename(name, in: folder, to: newName)
    }

    /// False if the new name is taken or the old one is gone.
    func rename(_ name: [UInt8], in other: borrowing OpenFile, to newName: [UInt8]) throws(Failure) -> Bool {
        do throws(SystemError) {
            try staging.disk.rename(name, in: other, toFree: newName, in: folder)
            return true
        } catch let error where error.code == EEXIST || error.code == ENOENT {
            return false
        } catch {
            throw Failure(placing: error)
        }
    }

    func sync() throws(Failure) {
        do throws(SystemError) { try folder.sync() } catch let error where error.code == EINVAL {
            // The file system has no cache for names.
        } catch {
            throw Failure(placing: error)
        }
    }
}
