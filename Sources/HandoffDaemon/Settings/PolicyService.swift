// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

final class PolicyService: Feature {
    static let file = "policy"

    private let store: any StateStore
    private let rules: any AdministratorRules
    private let time: any TimeSource
    private let log: Logger

    private var policy = Policy()
    private var damage: String?
    private var watched = WatchedContent(noun: "policies") { .policy(.policy($0)) }
    private var observers: [(RulingChange) -> Void] = []
    private var told = Ruling()
    private var alarm: (any Alarm)?

    private struct Ruling: Equatable {
        var off: [PolicySwitch] = []
        var isManaged = false
        var programs: Set<BundleID> = []
    }

    init(store: any StateStore, rules: any AdministratorRules, time: any TimeSource, log: Logger) {
        self.store = store
        self.rules = rules
        self.time = time
        self.log = log
    }

    func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.timeIsOver() }
        do throws(Failure) {
            policy.user = try readSwitches()
        } catch {
            policy.user = .allOff
            damage = """
                the policy file cannot be read (\(error.reason)), so everything is switched off; \
                run: handoff policy on, and handoff history on
                """
            log.error("Policy file is damaged; everything is switched off", metadata: ["file": "\(Self.file)"])
        }
        // First, so that no change is missed.
        rules.watch { [weak self] in self?.administratorChanged() }
        policy.administrator = rules.read()
        told = ruling
        arm()
    }

    func stop() { alarm?.set(nil) }

    private func readSwitches() throws(Failure) -> PolicySwitches {
        guard let bytes = try store.read(Self.file) else { return PolicySwitches() }
        do throws(WireError) {
            return try PolicySwitches(encoded: bytes)
        } catch {
            throw Failure(.malformed, error.reason)
        }
    }

    private func administratorChanged() {
        let ruled = rules.read()
        guard ruled != policy.administrator else { return }
        policy.administrator = ruled
        log.notice("Administrator's policy changed", metadata: ["off": "\(ruled.off.count)"])
        changed()
    }

    private func change(_ change: PolicyChange) throws(Failure) {
        let user = try policy.applying(change, wall: time.wallTime)
        // First: a switch that was reported as off must survive a crash.
        try store.write(user.encoded(), to: Self.file)
        policy.user = user
        damage = nil
        changed()
    }

    private func timeIsOver() {
        // The next change removes expired switches from the file.
        if policy.user.expire(wall: time.wallTime) { changed() } else { arm() }
    }

    private func changed() {
        arm()
        let before = told
        told = ruling
        guard told != before else { return }
        watched.refresh { summary }
        let hasNewSwitches = told.off != before.off || told.programs != before.programs
        let change = RulingChange(switches: hasNewSwitches, management: told.isManaged != before.isManaged)
        for observer in observers { observer(change) }
    }

    private var ruling: Ruling {
        Ruling(off: policy.switches(wall: time.wallTime), isManaged: isManaged, programs: policy.user.programs)
    }

    private func arm() {
        alarm?.set(policy.user.nextEnd.map(time.look(for:)))
    }
}

extension PolicyService {
    /// Nil: allowed. `bundle` nil: a script.
    func obstacle(to direction: HandoffDirection, of bundle: BundleID?) -> PolicySwitch? {
        policy.obstacle(to: direction, of: bundle, wall: time.wallTime)
    }

    var summary: PolicySummary {
        PolicySummary(
            off: policy.switches(wall: time.wallTime), problem: policy.administrator.problem ?? damage,
            programs: policy.user.programs.sorted())
    }

    var isManaged: Bool { policy.administrator.isManaged }

    func onChange(_ observer: @escaping (RulingChange) -> Void) { observers.append(observer) }
}

extension PolicyService: LocalMessageHandler {
    func handle(_ message: LocalMessage.Policy, from client: any Client, reply: @escaping ClientReply) {
        switch message {
        case .showPolicy(let watch):
            do throws(Failure) {
                if watch { try watched.watch(summary, by: client, reply: reply) }
                reply(.policy(.policy(summary)))
            } catch {
                reply(.failure(error))
            }
        case .setPolicy(let wish):
            do throws(Failure) {
                try change(wish)
                reply(.policy(.policy(summary)))
            } catch {
                reply(.failure(error))
            }
        case .policy: reply(.failure(.notForTheDaemon))
        }
    }

    func clientCaughtUp(_ client: any Client) { watched.refresh { summary } }
    func clientClosed(_ client: any Client) { watched.clientClosed(client) }
}

/// At least one is true.
struct RulingChange: Hashable, Sendable {
    let switches: Bool
    let management: Bool
}
