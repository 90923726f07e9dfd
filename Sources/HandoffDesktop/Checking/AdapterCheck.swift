// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

/// Plays the desktop for an adapter.
final class AdapterCheck {
    private let stage: CheckStage
    private let program: String
    private let report: (CheckResult) -> Void
    private var limits: CheckLimits { stage.limits }

    init(_ stage: CheckStage, program: String, report: @escaping (CheckResult) -> Void) {
        (self.stage, self.program, self.report) = (stage, program, report)
    }

    private func ok(_ rule: CheckRule, _ seen: String) { say(rule, .ok, seen) }
    private func failed(_ rule: CheckRule, _ seen: String) { say(rule, .failed, seen) }
    private func notChecked(_ rule: CheckRule, _ why: String) { say(rule, .notChecked, why) }

    private func say(_ rule: CheckRule, _ outcome: CheckResult.Outcome, _ seen: String) {
        guard !stage.isOver else { return }
        let text = String(seen.map { $0 == "\t" || $0.isNewline ? " " : $0 })
        report(CheckResult(rule: rule, outcome: outcome, seen: text, right: rule.right(limits)))
    }

    /// Throws if the check itself cannot continue.
    func run() throws(BusFailure) {
        guard stage.wait(limits.answer, until: { stage.handoff.hasName }) else {
            throw BusFailure(BusFailure.failed, "dbus-daemon did not start")
        }
        try stage.startAdapter()
        guard checkRegistration() else { return }
        try checkOffer()
        try checkChanges()
        try checkRestart()
        for (rule, verb) in [(CheckRule.private, "private"), (.close, "close"), (.kill, "kill")] {
            try checkWithdrawal(rule, verb)
        }
        try checkUnregistered()
        try checkOff()
        try checkEndOfBus()
    }

    // MARK: Rules

    private func checkRegistration() -> Bool {
        let start = ContinuousClock.now
        let isDone = stage.wait(limits.answer) {
            stage.handoff.registration != nil || stage.adapter?.isRunning != true
        }
        guard isDone, let registration = stage.handoff.registration else {
            failed(.register, stage.adapter?.isRunning == true ? silence("it did not call Register") : ended)
            return false
        }
        guard registration.program == program else {
            failed(.register, "it registered \(registration.program), not \(program)")
            return false
        }
        if registration.receives {
            failed(.register, "it registered without receives false, although the daemon starts the program itself")
        } else {
            ok(.register, "it registered \(program) after \(start.duration(to: .now).shown)")
        }
        let isQuiet = !stage.wait(limits.silence) { stage.handoff.activity != nil }
        isQuiet ? ok(.quiet, "it published nothing") : failed(.quiet, "it published an activity")
        return true
    }

    private func checkOffer() throws(BusFailure) {
        let start = ContinuousClock.now
        if case .cannot(let why) = try stage.drive("open") {
            for rule in [CheckRule.publish, .save] { notChecked(rule, why) }
        } else if waitForActivity() {
            ok(.publish, "it published an activity after \(start.duration(to: .now).shown)")
            checkSave()
        } else {
            failed(.publish, silence("it published nothing"))
            notChecked(.save, "nothing was published")
        }
        checkUnknown()
        if stage.adapter?.isRunning != true { _ = try startAgain() }
    }

    private func checkSave() {
        guard let activity = stage.handoff.activity else { return notChecked(.save, "nothing was published") }
        let mustSave = stage.handoff.isStale || activity.alwaysSaves
        switch stage.ask("Save", [.string(activity.id.hex)]) {
        case nil: failed(.save, "no answer arrived")
        case .success(let answer)?:
            do throws(Failure) {
                try stage.handoff.saved(answer[0]?.properties ?? [:])
                let isEmpty = stage.handoff.activity?.state.userInfo.isEmpty ?? true
                isEmpty ? failed(.save, "the state has no user-info") : ok(.save, "it answered with a valid state")
            } catch {
                failed(.save, "its answer is refused: \(error.reason)")
            }
        case .failure(let failure)? where failure.name == BusFailure.unknownMethod && !mustSave:
            ok(.save, "it has no method Save, and does not ask to be saved")
        case .failure(let failure)?: failed(.save, "it answered with an error: \(failure)")
        }
    }

    private func checkUnknown() {
        stage.handoff.emitUnknownProperty()
        let answer = stage.ask("Future", [])
        guard !stage.wait(limits.silence, until: { stage.adapter?.isRunning != true }) else {
            return failed(.unknown, ended)
        }
        switch answer {
        case .failure(let failure)? where failure.name != BusFailure.noReply:
            ok(.unknown, "it refused an unknown method")
        case .success?: failed(.unknown, "it answered a method that does not exist")
        default: failed(.unknown, "it did not answer a call of an unknown method")
        }
    }

    private func checkChanges() throws(BusFailure) {
        if let why = try ensureOpen() {
            for rule in [CheckRule.move, .flood] { notChecked(rule, why) }
            return
        }
        let (before, count) = (stage.handoff.activity?.state, stage.handoff.messages.count)
        if case .cannot(let why) = try stage.drive("move") {
            notChecked(.move, why)
        } else {
            let alwaysSaves = stage.handoff.activity?.alwaysSaves ?? false
            let isReported = stage.wait(alwaysSaves ? limits.silence : limits.answer) {
                stage.handoff.messages.count > count
            }
            if isReported || alwaysSaves {
                if let activity = stage.handoff.activity, stage.handoff.isStale || alwaysSaves,
                    case .success(let answer)? = stage.ask("Save", [.string(activity.id.hex)])
                {
                    try? stage.handoff.saved(answer[0]?.properties ?? [:])
                }
                stage.handoff.activity?.state == before
                    ? failed(.move, "the state is the same as before")
                    : ok(.move, isReported ? "it reported the change" : "it saved the change")
            } else {
                failed(.move, silence("it reported nothing"))
            }
        }
        try checkFlood()
    }

    private func checkFlood() throws(BusFailure) {
        // Messages that the last move caused do not belong to the flood.
        _ = stage.wait(limits.silence)
        let before = stage.handoff.messages.count
        if case .cannot(let why) = try stage.drive("flood") { return notChecked(.flood, why) }
        _ = stage.wait(limits.silence)
        let times = stage.handoff.messages.dropFirst(before).map(\.time)
        let (most, time) = CheckLimits.flood
        let worst = times.map { first in times.count { $0 >= first && $0 < first.advanced(by: time) } }.max() ?? 0
        let seen = "it sent \(worst == 1 ? "one message" : "\(worst) messages") in \(time.whole) s"
        worst <= most ? ok(.flood, seen) : failed(.flood, seen)
    }

    private func checkRestart() throws(BusFailure) {
        let why = try ensureOpen()
        stage.restartHandoff(absent: limits.silence)
        guard stage.wait(limits.answer, until: { stage.handoff.registration != nil }) else {
            return failed(.restart, silence("it did not register again"))
        }
        if let why { return ok(.restart, "it registered again; what is open was not checked: \(why)") }
        waitForActivity()
            ? ok(.restart, "it registered and published again")
            : failed(.restart, silence("it registered again, but did not publish"))
    }

    private func checkWithdrawal(_ rule: CheckRule, _ verb: String) throws(BusFailure) {
        if let why = try ensureOpen() { return notChecked(rule, why) }
        let start = ContinuousClock.now
        if case .cannot(let why) = try stage.drive(verb) { return notChecked(rule, why) }
        let isGone = stage.wait(limits.answer) { stage.handoff.activity == nil }
        guard isGone, stage.handoff.registration != nil else {
            return failed(rule, isGone ? ended : silence("the activity is still published"))
        }
        ok(rule, "it withdrew the activity after \(start.duration(to: .now).shown)")
        // The next rule begins without a program.
        if rule == .private { _ = try stage.drive("close") }
    }

    private func checkUnregistered() throws(BusFailure) {
        _ = try ensureOpen()
        guard stage.handoff.registration != nil else { return notChecked(.unregistered, "it is not registered") }
        stage.handoff.unregister()
        let count = stage.handoff.calls.count
        _ = try stage.drive("move")
        _ = stage.wait(limits.silence)
        let more = stage.handoff.calls.dropFirst(count).map(\.member)
        more.isEmpty
            ? ok(.unregistered, stage.adapter?.isRunning == true ? "it was silent" : "it exited")
            : failed(.unregistered, "it called \(Set(more).sorted().joined(separator: ", ")) after Unregistered")
    }

    private func checkOff() throws(BusFailure) {
        guard try startAgain() else { return notChecked(.off, "it did not register") }
        stage.handoff.switchOff()
        stage.wait(limits.answer) { stage.adapter?.isRunning != true }
            ? ok(.off, "it exited") : failed(.off, silence("it still runs"))
    }

    private func checkEndOfBus() throws(BusFailure) {
        guard try startAgain() else { return notChecked(.bus, "it did not register") }
        stage.endBus()
        stage.wait(limits.answer) { stage.adapter?.isRunning != true }
            ? ok(.bus, "it exited") : failed(.bus, silence("it still runs"))
    }

    // MARK: Between rules

    private func startAgain() throws(BusFailure) -> Bool {
        stage.endAdapter()
        stage.restartHandoff()
        try stage.startAdapter()
        return stage.wait(limits.answer) { stage.handoff.registration != nil }
    }

    private func waitForActivity() -> Bool { stage.wait(limits.answer) { stage.handoff.activity != nil } }

    /// Returns why nothing is published.
    private func ensureOpen() throws(BusFailure) -> String? {
        guard stage.handoff.activity == nil else { return nil }
        if case .cannot(let why) = try stage.drive("open") { return why }
        return waitForActivity() ? nil : "nothing was published"
    }

    private func silence(_ what: String) -> String {
        "\(what) within \(limits.answer.whole) s" + (stage.handoff.problems.last.map { "; refused: \($0)" } ?? "")
    }

    private var ended: String { "it ended with status \(stage.adapter?.status ?? -1)" }
}

extension Duration {
    fileprivate var shown: String {
        let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
