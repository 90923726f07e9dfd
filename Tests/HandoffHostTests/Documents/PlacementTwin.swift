// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

@testable import HandoffHost

/// An in-memory folder in which a document takes its place. At any step, it can fail, lose power, or be changed by
/// another program.
struct PlacementTwin {
    /// The file behind a name. Its content never changes: a writer replaces the file.
    struct Item: Hashable {
        let content: String
        let inode: UInt64
        /// Increased by every link.
        var changed: Int64 = 0

        var version: FileVersion {
            FileVersion(
                file: FileNumber(device: 1, inode: inode), size: UInt64(content.utf8.count),
                modified: FileTime(nanoseconds: Int64(inode)), changed: FileTime(nanoseconds: changed), mode: 0o644)
        }
    }

    enum Trouble: Hashable, CaseIterable {
        case none
        /// The step fails without an effect.
        case failure
        /// Neither the step nor any later one is done.
        case crashBefore
        /// The step is done, and none after it.
        case crashAfter
        /// Before the step, another program replaces the document with its own version.
        case stranger
        /// Before the step, another program removes the document.
        case removal
    }

    struct Crash: Error {}

    let swapsNames: Bool
    let isFolder: Bool
    private(set) var names: [String: Item] = [:]
    /// The states after each step since the last sync: after a crash, any of them is possible.
    private(set) var unsynced: [[String: Item]] = []
    /// On the disk immediately.
    private(set) var versions: [Item] = []
    /// The arrival, until it has a name.
    private var unnamed: Item?
    /// Files that other programs removed or replaced themselves.
    private(set) var removedByOthers: Set<String> = []
    private(set) var steps: [PlacementStep] = []
    private var nextInode: UInt64 = 100

    static let name = "letter", copy = "letter (laptop)", hidden = ".hidden", aside = ".aside"

    init(old: Item?, new: Item, swapsNames: Bool, isFolder: Bool, isNamed: Bool) {
        self.swapsNames = swapsNames
        self.isFolder = isFolder
        names[Self.name] = old
        if isNamed { names[Self.hidden] = new } else { unnamed = new }
        unsynced = [names]
    }

    /// Runs the machine to its end, with that trouble at step `number`.
    mutating func run(_ plan: PlacementPlan, _ trouble: Trouble, at number: Int) throws(Crash) -> PlacementEnd {
        var machine = PlacementStateMachine(plan)
        var action = machine.begun()
        while case .perform(let step) = action {
            let isTroubled = steps.count == number
            steps.append(step)
            if isTroubled { act(trouble) }
            if isTroubled, trouble == .crashBefore { throw Crash() }
            if isTroubled, trouble == .failure {
                action = machine.failed(Failure(.documentNotPlaced, "the disk is full"))
                continue
            }
            action = perform(step, &machine)
            if step == .sync { unsynced = [] }
            unsynced.append(names)
            if isTroubled, trouble == .crashAfter { throw Crash() }
        }
        guard case .end(let end) = action else { preconditionFailure("what is not performed is an end") }
        return end
    }

    private mutating func act(_ trouble: Trouble) {
        guard trouble == .stranger || trouble == .removal else { return }
        if let content = names[Self.name]?.content { removedByOthers.insert(content) }
        nextInode += 1
        names[Self.name] = trouble == .stranger ? Item(content: "stranger's", inode: nextInode) : nil
        unsynced.append(names)
    }

    private mutating func perform(_ step: PlacementStep, _ machine: inout PlacementStateMachine) -> PlacementAction {
        switch step {
        case .look: return machine.looked(names[Self.name]?.version)
        case .keep, .copy: return keep(step, &machine)
        case .giveName: (names[Self.hidden], unnamed) = (unnamed, nil)
        case .exchange:
            guard swapsNames else { return machine.unsupported() }
            guard names[Self.name] != nil else { return machine.nameChanged() }
            (names[Self.hidden], names[Self.name]) = (names[Self.name], names[Self.hidden])
        case .lookAtReplaced: return machine.looked(names[swapsNames ? Self.hidden : Self.aside]?.version)
        case .exchangeBack:
            guard names[Self.name] != nil else { return machine.failed(Failure(.documentChanged, "")) }
            (names[Self.hidden], names[Self.name]) = (names[Self.name], names[Self.hidden])
        case .replace: (names[Self.name], names[Self.hidden]) = (names[Self.hidden], nil)
        case .moveAside:
            guard move(Self.name, to: Self.aside) else { return machine.nameChanged() }
        case .moveBack:
            guard move(Self.aside, to: Self.name) else { return machine.nameChanged() }
        case .takeName:
            guard names[Self.name] == nil else { return machine.nameChanged() }
            names[Self.name] = names.removeValue(forKey: Self.hidden) ?? unnamed
            unnamed = nil
        case .removeReplaced: names[names[Self.aside] != nil ? Self.aside : Self.hidden] = nil
        case .sync: break
        case .removeUnplaced: names[Self.hidden] = nil
        case .removeCopy: names[Self.copy] = nil
        case .removeVersion: versions = []
        }
        return machine.done()
    }

    private mutating func keep(_ step: PlacementStep, _ machine: inout PlacementStateMachine) -> PlacementAction {
        guard var item = names[Self.name] else { return machine.failed(Failure(.documentNotPlaced, "it is gone")) }
        item.changed += 1
        names[Self.name] = item
        if step == .keep { versions = [item] } else { names[Self.copy] = item }
        return machine.kept(item.version)
    }

    private mutating func move(_ name: String, to newName: String) -> Bool {
        guard names[newName] == nil, let item = names.removeValue(forKey: name) else { return false }
        names[newName] = item
        return true
    }

    // MARK: Afterwards

    /// The possible states of the disk after a power failure, once hidden names were cleaned up.
    func recovered() -> [[String: Item]] {
        unsynced.map { names in
            var names = names
            if names[Self.name] == nil { names[Self.name] = names[Self.aside] }
            names[Self.aside] = nil
            names[Self.hidden] = nil
            return names
        }
    }
}
