// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffCore
import HandoffWire

/// Reads nothing from programs that are not on.
final class BusPrograms: InstanceFinder {
    static let answerTime = Duration.seconds(2)
    /// For a new program to answer and keep its place. It may still answer later.
    static let patience = Duration.seconds(10)
    /// Until a program that opens something large is given up.
    static let openingTime = Duration.seconds(600)

    private let interface: KnownProgram.Interface
    private let tools: FinderTools
    private var names: ProgramNames?

    init(_ interface: KnownProgram.Interface, _ tools: FinderTools) throws(BusFailure) {
        self.interface = interface
        self.tools = tools
        names = try ProgramNames(
            of: interface, on: tools.bus, appeared: { [unowned self] in appeared($0) },
            left: { tools.offers.left($0) })
    }

    private func appeared(_ name: InstanceName) {
        let (offers, loop) = (tools.offers, tools.following.loop)
        guard let place = offers.expect() else { return }
        tools.identify(name) { [weak self] found in
            guard let self, let found, let object = interface.object else { return place.free() }
            let timer = loop.after(Self.patience) { place.free() }
            let question = BusCall.properties(of: object.interface, at: object.path, on: name.text)
            tools.bus.call(question, within: Self.openingTime) { [weak self] result in
                withExtendedLifetime(timer) {}
                defer { place.free() }
                if case .failure(let failure) = result, failure.name == BusFailure.noReply { return }
                if place.isHeld || offers.hasRoom { self?.follow(name, found) }
            }
        }
    }

    private func follow(_ name: InstanceName, _ found: FinderTools.Found) {
        do throws(BusFailure) {
            guard let instance = try interface.follow(name, tools.following) else { return }
            tools.offers.follow(name, instance, of: found.program, in: [found.process])
        } catch {
            Complaint.say("cannot follow \(found.program): \(error.sentence)")
        }
    }
}

struct FinderTools {
    /// Those that are on, of one interface.
    let programs: [KnownProgram]
    let offers: ProgramOffers
    let following: FollowTools
    /// As `ProgramName.of`.
    let programName: (Int32, InstanceName) -> String?

    var bus: BusConnection { following.bus }

    struct Found {
        let program: BundleID
        let process: Int32
    }

    /// Answers nil for programs that are not on. The process decides: playerctld shows the properties of the active player,
    /// even if its program is off.
    func identify(_ name: InstanceName, then: @escaping (Found?) -> Void) {
        bus.process(behind: name.text) { result in
            guard case .success(let peer) = result, peer.userID == geteuid(), let process = peer.processID else {
                return then(nil)
            }
            then(program(of: process, name).map { Found(program: $0, process: process) })
        }
    }

    private func program(of process: Int32, _ name: InstanceName) -> BundleID? {
        guard let file = programName(process, name),
            let known = programs.first(where: { $0.processes.contains(file) })
        else { return nil }
        return try? BundleID(systemProgram: known.entry)
    }
}
