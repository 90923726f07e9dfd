// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffWire

/// Asks the bus to start `handoff-adapters` when a program that the user has switched on may have something to offer. It
/// ends when there is nothing to watch.
final class AdapterStart: DesktopFeature {
    static let name = "org.handoff.Adapters"

    /// A program may change its name all the time.
    static let spacing = Duration.seconds(1)

    private let loop: BusLoop
    private var rest: LoopWatch?
    private var isDue = false
    private var bus: BusConnection?
    private var watches: [BusSlot] = []
    /// Interfaces of programs that are on.
    private var interfaces: Set<KnownProgram.Interface> = []
    private var hasComplained = false

    init(on loop: BusLoop) { self.loop = loop }

    func busConnected(_ bus: BusConnection) {
        self.bus = bus
        watchPrograms()
    }

    func busDisconnected() { (watches, bus) = ([], nil) }

    func policyChanged(_ policy: PolicySummary?) {
        let interfaces = Set((policy?.programs ?? []).compactMap { KnownProgram.of($0)?.interface })
        guard interfaces != self.interfaces else { return }
        self.interfaces = interfaces
        watchPrograms()
    }

    private func watchPrograms() {
        watches = interfaces.compactMap { interface in
            guard let namespace = interface.busNames else {
                // Then it must run all the time.
                return try? bus?.watchName(Self.name) { [weak self] owner in if owner == nil { self?.start() } }
            }
            return try? bus?.watchNames(below: namespace) { [weak self] name, owner in
                if owner != nil, interface.owns(name) { self?.start() }
            }
        }
    }

    /// Has no effect if it runs.
    private func start() {
        guard rest == nil else {
            isDue = true
            return
        }
        rest = loop.after(Self.spacing) { [unowned self] in
            rest = nil
            guard isDue else { return }
            isDue = false
            start()
        }
        bus?.call(.bus("StartServiceByName", [.string(Self.name), .uint32(0)])) { [weak self] result in
            guard let self, case .failure(let failure) = result, !hasComplained else { return }
            hasComplained = true
            Complaint.say("cannot start handoff-adapters: \(failure.sentence)")
        }
    }
}
