// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffCore
import HandoffSystem
import HandoffWire

/// Ends once there was nothing to watch for a minute; `handoff-bus` starts it again.
final class AdapterHost {
    static let rest = Duration.seconds(60)

    private let loop: BusLoop
    private let rest: Duration
    private let end: (CInt) -> Void
    private let connector: BusConnector
    private let offers: ProgramOffers
    private let home: HomeFile
    private let environment: [String: String]
    private let offLoop: OffLoop
    private let programName: (Int32, InstanceName) -> String?
    private var finders: [any InstanceFinder] = []
    private var bus: BusConnection?
    private var hasName = false
    private var slots: [BusSlot] = []
    private var focus: FocusWatch?
    private var restTimer: LoopWatch?

    init(
        environment: [String: String], address: String, rest: Duration = AdapterHost.rest,
        programName: @escaping (Int32, InstanceName) -> String? = { process, _ in ProgramName.of(process) },
        on loop: BusLoop, end: @escaping (CInt) -> Void
    ) {
        self.loop = loop
        self.rest = rest
        self.end = end
        connector = BusConnector(to: address, on: loop)
        home = HomeFile(environment: environment)
        offers = ProgramOffers(home: home, to: address, on: loop)
        self.environment = environment
        offLoop = OffLoop(loop)
        self.programName = programName
        connector.connected = { [unowned self] in connected($0) }
        // The session is over.
        connector.disconnected = { [unowned self] in self.end(0) }
        offers.followedChanged = { [unowned self] in armRest() }
    }

    func start() {
        armRest()
        connector.start()
    }

    private func armRest() {
        // Programs without names on the bus cannot start this process again.
        let isIdle = offers.followed == 0 && offers.on.allSatisfy { KnownProgram.of($0)?.interface.busNames != nil }
        restTimer = isIdle ? loop.after(rest) { [unowned self] in end(0) } : nil
    }

    /// Before the process ends.
    func stop() { focus?.stop() }

    private func connected(_ bus: BusConnection) {
        self.bus = bus
        do throws(BusFailure) {
            focus = try FocusWatch(environment: environment, bus: bus, offLoop: offLoop, on: loop) { [unowned self] in
                offers.focused($0)
            }
            slots = [
                try bus.onPropertiesChanged(
                    of: HandoffNames.interface, from: HandoffNames.bus, path: HandoffNames.path
                ) { [unowned self] changed in
                    if let programs = changed.values["Programs"] { switchedOn(programs) }
                },
                try bus.watchName(HandoffNames.bus) { [unowned self] owner in
                    if owner == nil { switchedOn(.strings([])) } else { ask() }
                },
            ]
        } catch {
            Complaint.say(error.sentence)
            end(1)
        }
    }

    private func ask() {
        bus?.call(
            .property("Programs", of: HandoffNames.interface, at: HandoffNames.path, on: HandoffNames.bus)
        ) { [weak self] result in
            let answer = try? result.get()
            self?.switchedOn(answer?[0] ?? .strings([]))
        }
    }

    /// Once it follows the programs that are on: the bus reports the name to programs that wait for it.
    private func takeName() {
        guard !hasName, let bus else { return }
        hasName = true
        bus.requestName(HandoffNames.adapters) { [unowned self] result in
            guard case .failure(let failure) = result else { return }
            Complaint.say(failure.sentence)
            end(1)
        }
    }

    private func switchedOn(_ programs: BusValue) {
        let known = (programs.strings ?? []).compactMap { try? BundleID(appOrProgram: $0) }
            .filter { KnownProgram.of($0) != nil }
        defer { takeName() }
        guard let bus, Set(known) != offers.on else { return }
        finders = []
        offers.switchedOn(Set(known))
        for (interface, programs) in Dictionary(grouping: known.compactMap(KnownProgram.of), by: \.interface) {
            let tools = FinderTools(
                programs: programs, offers: offers,
                following: FollowTools(bus: bus, environment: environment, home: home, offLoop: offLoop, loop: loop),
                programName: programName)
            do throws(BusFailure) {
                if let finder = try interface.finder(tools) { finders.append(finder) }
            } catch {
                Complaint.say("cannot find programs: \(error.sentence)")
            }
        }
        // Kept otherwise: editors and shells report only changes.
        if !known.contains(where: { KnownProgram.of($0)?.interface == .report }) {
            ReportFolder(environment: environment)?.remove()
        }
        armRest()
    }
}

/// To the journal, through standard error. Must not contain the user's data.
enum Complaint {
    private static let standardError = DroppingStream(STDERR_FILENO)

    static func say(_ sentence: String) { standardError.write("handoff-adapters: \(sentence)\n") }
}
