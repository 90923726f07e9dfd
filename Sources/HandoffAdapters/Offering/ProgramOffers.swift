// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffWire

/// The offers of the programs that are on, each with its running instances.
final class ProgramOffers {
    /// Instances of all programs that are followed, and those that are being identified.
    static let maximum = 32

    /// An instance has appeared or left.
    var followedChanged: () -> Void = {}

    private let address: String
    private let home: HomeFile
    private let transfers: OffLoop
    private let loop: BusLoop
    private var offers: [BundleID: ProgramOffer] = [:]
    private var programs: [InstanceName: BundleID] = [:]
    private var expected = 0

    init(home: HomeFile, to address: String, on loop: BusLoop) {
        self.address = address
        self.home = home
        transfers = OffLoop(loop)
        self.loop = loop
    }

    /// Instances.
    var followed: Int { programs.count }
    var on: Set<BundleID> { Set(offers.keys) }

    /// Forgets all instances.
    func switchedOn(_ on: Set<BundleID>) {
        offers = offers.filter { on.contains($0.key) }
        for program in on where offers[program] == nil {
            offers[program] = KnownProgram.of(program).map {
                ProgramOffer(
                    program, $0.content.activityType, home: home, transfers: transfers, to: address, on: loop)
            }
        }
        programs = [:]
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

    var hasRoom: Bool { programs.count + expected < Self.maximum }

    func follow(_ name: InstanceName, _ instance: any FollowedProgram, of program: BundleID) {
        guard programs[name] == nil, let offer = offers[program] else { return }
        programs[name] = program
        offer.follow(name, instance)
        followedChanged()
    }

    func left(_ name: InstanceName) {
        guard let program = programs.removeValue(forKey: name) else { return }
        offers[program]?.left(name)
        followedChanged()
    }
}
