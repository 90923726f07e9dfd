// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffClient
internal import HandoffSystem
import HandoffWire

/// See docs/dbus.md.
final class InterfaceFeature: DesktopFeature {
    let form: InterfaceForm
    let daemon: DaemonClient
    /// The daemon limits it to what programs on the bus may do.
    let calls: DaemonClient
    /// Shared by all objects.
    let room: ParticipantRoom
    /// For `Open`, in `InterfaceForm.whole`.
    let continuing: ActivityContinuing?
    let sandboxes: SandboxGuard
    private let lines: () -> any DaemonLine
    private let loop: BusLoop
    let answerTime: Duration
    private(set) var bus: BusConnection?
    private var object: BusObject?
    private(set) var callers: Callers?
    private(set) var offers: [ListedActivity] = []
    private var facts = InterfaceFacts()
    private var lastContinuation: UInt64 = 0

    init(
        _ form: InterfaceForm, daemon: DaemonClient, calls: DaemonClient, lines: @escaping () -> any DaemonLine,
        room: ParticipantRoom, sandboxes: SandboxGuard, continuing: ActivityContinuing? = nil,
        answerTime: Duration = InterfaceLimits.answerTime, on loop: BusLoop
    ) {
        self.form = form
        self.daemon = daemon
        self.calls = calls
        self.room = room
        self.sandboxes = sandboxes
        self.continuing = continuing
        self.lines = lines
        self.answerTime = answerTime
        self.loop = loop
    }

    // MARK: The bus

    func busConnected(_ bus: BusConnection) {
        self.bus = bus
        let callers = Callers(bus)
        self.callers = callers
        room.add(callers)
        do throws(BusFailure) {
            object = try BusObject([interface], at: form.path, on: bus)
        } catch {
            Complaint.say("\(error.sentence)")
        }
        bus.requestName(form.bus) { result in
            if case .failure(let failure) = result { Complaint.say("\(failure.sentence)") }
        }
    }

    func busDisconnected() {
        callers?.allLeft()
        (callers, object, bus) = (nil, nil, nil)
    }

    // MARK: The daemon

    func daemonConnected(_ welcome: Welcome) {
        var new = facts
        (new.software, new.deviceName) = (welcome.software.text, welcome.deviceName.text)
        become(new)
        daemon.follow(.identity(.listDevices(watch: true, isPatient: true))) { [weak self] result in
            guard case .success(.identity(.deviceList(let devices))) = result else { return }
            self?.devicesChanged(devices)
        }
    }

    func policyChanged(_ policy: PolicySummary?) {
        var new = facts
        new.programs = policy?.programs ?? []
        become(new)
    }

    /// The account or this device may have changed too.
    private func devicesChanged(_ devices: [DeviceSummary]) {
        daemon.request(.status(.getStatus)) { [weak self] result in
            guard let self, case .success(.status(.status(let status))) = result else { return }
            var new = facts
            new.deviceName = (devices.first(where: \.isThisDevice)?.name ?? status.deviceName).text
            new.device = status.device?.description ?? ""
            new.account = status.account?.hex ?? ""
            new.devices = devices
            become(new)
        }
    }

    func daemonDisconnected() { become(InterfaceFacts()) }

    private func become(_ new: InterfaceFacts) {
        let changes = facts.changes(to: new).filter { name in form.properties.contains { $0.0 == name } }
        facts = new
        if !changes.isEmpty { object?.changed(form.interface, changes) }
    }

    func offersChanged(_ offers: [ListedActivity]) {
        guard form == .whole else { return }
        let before = listed(all: false)
        self.offers = offers
        let now = listed(all: false)
        if now != before { object?.emit(InterfaceNames.handoff, "ActivitiesChanged", [.list(now.map(\.bus))]) }
    }

    func listed(all: Bool) -> [ListedActivity] { all ? offers : offers.filter(\.isContinuable) }

    // MARK: Support for the calls

    func value(of property: String) -> BusValue { facts.value(of: property) }

    /// Not connected yet.
    func makeConnection(_ hello: LocalHello) -> Participant.Connection {
        let line = lines()
        return Participant.Connection(daemon: DaemonClient(line, hello: hello, on: loop), line: line, loop: loop)
    }

    func nextContinuation() -> UInt64 {
        lastContinuation += 1
        return lastContinuation
    }
}
