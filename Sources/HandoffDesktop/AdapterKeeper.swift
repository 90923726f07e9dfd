// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffWire

/// Keeps the adapters of other authors running while the user has switched their programs on.
final class AdapterKeeper: DesktopFeature {
    /// Delays before an adapter is started again; doubled each time.
    static let waits = (first: Duration.seconds(1), last: Duration.seconds(600))
    /// An adapter that ran this long is started again after the first delay.
    static let goodRun = Duration.seconds(60)

    private let loop: BusLoop
    private let waits: (first: Duration, last: Duration)
    private var bus: BusConnection?
    private var kept: [BundleID: KeptAdapter] = [:]
    private var programs: Set<BundleID> = []

    init(on loop: BusLoop, waits: (first: Duration, last: Duration) = AdapterKeeper.waits) {
        self.loop = loop
        self.waits = waits
    }

    func busConnected(_ bus: BusConnection) {
        self.bus = bus
        keep()
    }

    func busDisconnected() {
        bus = nil
        keep()
    }

    func policyChanged(_ policy: PolicySummary?) {
        programs = Set((policy?.programs ?? []).filter { KnownProgram.of($0) == nil })
        keep()
    }

    private func keep() {
        guard let bus else { return kept = [:] }
        kept = kept.filter { programs.contains($0.key) }
        for program in programs where kept[program] == nil {
            guard let entry = program.desktopEntry else { continue }
            kept[program] = KeptAdapter(ProgramDescription.adapterPrefix + entry, waits: waits, on: bus, loop)
        }
    }
}

private final class KeptAdapter {
    private let name: String
    private let waits: (first: Duration, last: Duration)
    private unowned let bus: BusConnection
    private let loop: BusLoop
    private var watch: BusSlot?
    private var timer: LoopWatch?
    private var wait: Duration
    private var began: ContinuousClock.Instant?

    init(_ name: String, waits: (first: Duration, last: Duration), on bus: BusConnection, _ loop: BusLoop) {
        (self.name, self.waits, self.bus, self.loop) = (name, waits, bus, loop)
        wait = waits.first
        watch = try? bus.watchName(name) { [weak self] in self?.ownerChanged($0) }
    }

    private func ownerChanged(_ owner: String?) {
        if owner != nil {
            began = began ?? .now
            timer = nil
        } else if let began {
            self.began = nil
            if began.duration(to: .now) >= AdapterKeeper.goodRun { wait = waits.first }
            retry()
        } else if timer == nil {
            start()
        }
    }

    private func retry() {
        timer = loop.after(wait) { [unowned self] in
            timer = nil
            start()
        }
        wait = min(wait * 2, waits.last)
    }

    private func start() {
        bus.call(.bus("StartServiceByName", [.string(name), .uint32(0)])) { [weak self] result in
            guard let self, began == nil, case .failure(let failure) = result else { return }
            Complaint.say("cannot start the adapter \(name): \(failure.sentence)")
            // Without a service file, the next try is when the user switches the program on.
            if failure.name != BusFailure.serviceUnknown { retry() }
        }
    }
}
