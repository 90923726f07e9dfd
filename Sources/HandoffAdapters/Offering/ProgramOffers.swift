// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffWire

final class ProgramOffers {
    /// Instances of all programs, including those being identified.
    static let maximum = 32

    var followedChanged: () -> Void = {}

    private let address: String
    private let home: HomeFile
    private let transfers: OffLoop
    private let loop: BusLoop
    private var offers: [BundleID: ProgramOffer] = [:]
    private var instances: [InstanceName: Instance] = [:]
    /// The latest to change is last.
    private var recent: [InstanceName] = []
    private var inFront: BundleID?
    /// Nil: unknown.
    private var focusedProcess: Int32?
    private var expected = 0

    private struct Instance {
        let program: BundleID
        let followed: any FollowedProgram
        /// Its windows belong to one of them.
        let processes: [Int32]
    }

    init(home: HomeFile, to address: String, on loop: BusLoop) {
        self.address = address
        self.home = home
        transfers = OffLoop(loop)
        self.loop = loop
    }

    var followed: Int { instances.count }
    var on: Set<BundleID> { Set(offers.keys) }

    func switchedOn(_ on: Set<BundleID>) {
        offers = offers.filter { on.contains($0.key) }
        for program in on where offers[program] == nil {
            offers[program] = KnownProgram.of(program).map {
                ProgramOffer(
                    program, $0.content.activityType, home: home, transfers: transfers, to: address, on: loop
                ) { [unowned self] in becameRecent($0) }
            }
        }
        instances = [:]
        recent = []
        offers.values.forEach { $0.allLeft() }
        followedChanged()
    }

    /// Nil: too many instances. `free` must follow, whether the instance is followed or not.
    func expect() -> Place? {
        guard hasRoom else { return nil }
        expected += 1
        return Place { [weak self] in self?.expected -= 1 }
    }

    /// An instance that is being identified takes one.
    final class Place {
        private var freed: (() -> Void)?

        fileprivate init(_ freed: @escaping () -> Void) { self.freed = freed }

        var isHeld: Bool { freed != nil }
        func free() { freed.take()?() }
    }

    var hasRoom: Bool { instances.count + expected < Self.maximum }

    func follow(
        _ name: InstanceName, _ instance: any FollowedProgram, of program: BundleID, in processes: [Int32]
    ) {
        guard instances[name] == nil, let offer = offers[program] else { return }
        instances[name] = Instance(program: program, followed: instance, processes: processes)
        recent.append(name)
        offer.follow(name, instance)
        if let focusedProcess { instance.focusChanged(processes.contains(focusedProcess)) }
        if hasFocus(name) { offer.focused(name, isReturn: false) }
        followedChanged()
    }

    func left(_ name: InstanceName) {
        guard let program = instances.removeValue(forKey: name)?.program else { return }
        recent.removeAll { $0 == name }
        offers[program]?.left(name)
        followedChanged()
    }

    /// Returns whether its window has the focus.
    private func becameRecent(_ name: InstanceName) -> Bool {
        guard instances[name] != nil else { return false }
        recent.removeAll { $0 == name }
        recent.append(name)
        return hasFocus(name)
    }

    private func hasFocus(_ name: InstanceName) -> Bool {
        guard let focusedProcess else { return false }
        return instances[name]?.processes.contains(focusedProcess) ?? false
    }

    /// If its window shows several instances, as a terminal does, the latest to change is meant.
    func focused(_ process: Int32) {
        focusedProcess = process
        for instance in instances.values { instance.followed.focusChanged(instance.processes.contains(process)) }
        guard let name = recent.last(where: hasFocus), let program = instances[name]?.program else {
            inFront = nil
            return
        }
        offers[program]?.focused(name, isReturn: program != inFront)
        inFront = program
    }
}
