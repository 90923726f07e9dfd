// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import Logging

/// The states stay in this process's memory; only a fetch's answer contains them.
final class StateKeeper {
    private let time: any TimeSource
    private let limits: SavingLimits
    private let log: Logger
    private var states: SavedStates
    private var clients: [ClientID: (client: any Client, type: ActivityType)] = [:]
    private var alarm: (any Alarm)?
    private var asked = 0
    private var whenSaved: (() -> Void)?
    var onSave: (ActivityState, BundleID) -> Void = { _, _ in }

    init(time: any TimeSource, limits: SavingLimits, log: Logger) {
        self.time = time
        self.limits = limits
        self.log = log
        states = SavedStates(limits: limits)
    }

    func start() { alarm = time.makeAlarm { [weak self] in self?.ask() } }
    func stop() { alarm?.set(nil) }

    func state(of activity: ActivityID) -> SavedState? { states.state(of: activity) }

    /// Without a bundle, a program could not be recognized later. `isOffered` false: only `onSave` gets the state.
    func current(_ activity: ActivityID, _ type: ActivityType, of client: any Client, isOffered: Bool) {
        guard limits.isOn, client.bundle != nil else { return }
        clients[client.id] = (client, type)
        states.current(activity, of: client.id, isOffered: isOffered, now: time.now)
        arm()
    }

    func withheld(_ withheld: WithheldActivity?, by client: any Client) {
        if let withheld, let activity = withheld.activity {
            return current(activity, withheld.type, of: client, isOffered: false)
        }
        states.noLongerWithheld(by: client.id)
        arm()
    }

    func changed(_ activity: ActivityID, by client: any Client) {
        states.changed(activity, by: client.id, now: time.now)
        arm()
    }

    func saved(_ state: ActivityState, of activity: ActivityID, by client: any Client) {
        let handle = client.id
        guard clients[handle]?.type == state.type else { return }
        states.saved(state, of: activity, by: handle, wall: time.wallTime)
        arm()
        if let bundle = client.bundle { onSave(state, bundle) }
    }

    func deleted(_ saved: SavedActivities, of bundle: BundleID) {
        for (handle, known) in clients where known.client.bundle == bundle {
            states.deleted(saved, by: handle)
        }
    }

    func clientClosed(_ client: any Client) {
        clients[client.id] = nil
        states.clientClosed(client.id)
        arm()
    }

    func forget(unless isOffered: (ActivityID) -> Bool) {
        states.forget(unless: isOffered)
        arm()
    }

    /// Calls `then` once no app has an unsaved change or is asked. A later call replaces it.
    func saveAll(then: @escaping () -> Void) {
        whenSaved = then
        states.hurry(now: time.now)
        ask()
    }

    private func ask() {
        for (handle, activity) in states.deadlineReached(now: time.now) {
            let message = LocalMessage.advertising(.save(activity, deadline: limits.deadline))
            guard let client = clients[handle]?.client else { continue }
            asked += 1
            client.request(message, deadline: limits.deadline) { [weak self] result in
                guard let self else { return }
                asked -= 1
                answered(result, of: activity, by: handle)
                if whenSaved != nil { ask() }
            }
        }
        arm()
        guard asked == 0, let then = whenSaved else { return }
        whenSaved = nil
        then()
    }

    private func answered(_ result: Result<LocalMessage, Failure>, of activity: ActivityID, by handle: ClientID) {
        let state: Result<ActivityState, Failure> = result.flatMap { message in
            guard case .advertising(.saved(let state, _, _)) = message, state.type == clients[handle]?.type else {
                return .failure(Failure(.malformed, "the app sent an unexpected answer"))
            }
            return .success(state)
        }
        states.answered(state, of: activity, by: handle, now: time.now, wall: time.wallTime)
        arm()
        switch state {
        case .success(let state):
            log.debug("Activity state saved", metadata: ["activity": "\(activity.short)"])
            if let bundle = clients[handle]?.client.bundle { onSave(state, bundle) }
        case .failure(let failure):
            log.debug(
                "Activity state not saved",
                metadata: ["activity": "\(activity.short)", "code": "\(failure.code)"])
        }
    }

    private func arm() {
        alarm?.set(states.nextDeadline)
    }
}
