// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// Carries out on the disk what `PlacingStateMachine` says.
struct Placement: ~Copyable {
    /// In which the document will lie, and as what.
    let folder: OpenFile
    let name: [UInt8]
    private let root: AbsolutePath
    private let path: DocumentPath
    let order: PlacingOrder
    let staging: Staging
    let versions: VersionStore
    /// What was there has the name for that.
    private var hasMovedAside = false

    /// `folder` holds what lies at `path` in `root`, or would.
    init(
        of order: PlacingOrder, in folder: consuming OpenFile, of root: AbsolutePath, at path: DocumentPath,
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

    mutating func run(_ coming: inout Coming) throws(Failure) -> PlacingEnd {
        let there = try placing { () throws(SystemError) in try folder.status(of: name) }
        var machine = PlacingStateMachine(
            PlacingPlan(
                replaces: order.replaces, keepsCopy: order.conflictCopy != nil,
                isFolder: coming.isFolder || there?.kind == S_IFDIR, isNamed: coming.hidden != nil))
        var action = machine.begun()
        while case .perform(let step) = action {
            do throws(Failure) {
                action = try perform(step, &coming, &machine)
            } catch {
                action = machine.failed(error)
            }
        }
        // Another program wrote to it, so it is nowhere else.
        if hasMovedAside { staging.letGoAside(order.version) }
        guard case .end(let end) = action else { preconditionFailure("what is not performed is an end") }
        return end
    }

    private mutating func perform(
        _ step: PlacingStep, _ coming: inout Coming, _ machine: inout PlacingStateMachine
    ) throws(Failure) -> PlacingAction {
        switch step {
        case .look: return machine.looked(try Self.version(of: name, in: folder))
        case .keep: return machine.kept(try keep(name, in: folder, as: order.replaces))
        case .copy:
            guard let version = try copy() else { return machine.nameChanged() }
            return machine.kept(version)
        case .giveName: coming.hidden = try staging.giveName(to: coming.item, for: folder)
        case .exchange:
            switch try swap(coming) {
            case .done: break
            case .unsupported: return machine.unsupported()
            case .nameChanged: return machine.nameChanged()
            }
        case .lookAtReplaced:
            if hasMovedAside { return machine.looked(try Self.version(of: aside, in: folder)) }
            guard let hidden = coming.hidden else { return machine.looked(nil) }
            return machine.looked(try Self.version(of: hidden.bytes, in: hidden.stage.folder))
        case .exchangeBack: try swapBack(coming)
        case .replace: guard try replace(&coming) else { return machine.nameChanged() }
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
        case .takeName: guard try takeName(&coming) else { return machine.nameChanged() }
        case .removeReplaced: try removeReplaced(&coming)
        case .sync: try sync()
        case .removeComing: coming.hidden?.remove()
        case .removeCopy: try removeCopy()
        case .removeVersion: try versions.remove(order.version)
        }
        return machine.done()
    }

    // MARK: What is there

    /// `version`: of what has that name.
    func keep(
        _ name: [UInt8], in folder: borrowing OpenFile, as version: FileVersion?
    ) throws(Failure) -> FileVersion {
        let there = try placing { () throws(SystemError) in try folder.status(of: name) }
        let document = KeptDocument(
            folder: root, path: path, size: version?.size ?? 0,
            modified: version?.modified ?? FileTime(nanoseconds: 0), kept: order.now,
            deviceName: order.deviceName, isPackage: there?.kind == S_IFDIR,
            mode: UInt16((there?.permissions ?? 0) & 0o777))
        // Beside a conflict copy, which has the files, copies: who goes on with it does not change what is kept.
        return try versions.keep(
            order.version, name, in: folder, sharing: order.conflictCopy == nil, as: document)
    }

    /// Nil where the name is taken.
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
        // Another name of a file is a change of it as well.
        return try Self.version(of: name, in: folder) ?? version
    }

    private func removeCopy() throws(Failure) {
        guard let copyName = order.conflictCopy?.name else { return }
        try placing { () throws(SystemError) in try folder.removeTree(Array(copyName)) }
    }

    private var aside: [UInt8] { HiddenName(order.version, isAside: true).bytes }

    private mutating func removeReplaced(_ coming: inout Coming) throws(Failure) {
        guard hasMovedAside else {
            coming.hidden?.remove()
            coming.hidden = nil
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
