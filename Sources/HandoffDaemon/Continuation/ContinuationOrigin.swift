// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// The origin's half of continuations: answers what other devices fetch, asks apps to save for it, and tells them what
/// was continued. A part of `ContinuationService`.
final class ContinuationOrigin {
    private let boards: any Boards
    private let membership: any Membership
    private let streams: any StreamRights
    private let time: any TimeSource
    private var machine: OriginStateMachine<any Client>

    init(
        boards: any Boards, membership: any Membership, streams: any StreamRights, time: any TimeSource,
        limits: ContinuationLimits
    ) {
        self.boards = boards
        self.membership = membership
        self.streams = streams
        self.time = time
        machine = OriginStateMachine(limits: limits)
    }

    func continued(_ activity: ActivityID, by continuation: ContinuationID, of device: DeviceID) {
        guard let app = machine.continued(activity, by: continuation, of: device, at: time.now) else { return }
        let name = membership.member(device)?.name ?? DisplayText(cleaning: "")
        app.send(.continuation(.wasContinued(activity, deviceName: name)))
    }

    func cancelled(_ continuation: ContinuationID, of device: DeviceID) { machine.cancelled(continuation, of: device) }

    func sessionClosed(_ device: DeviceID) { machine.sessionClosed(device) }

    func answer(_ request: FetchRequest, from device: DeviceID, reply: @escaping (PeerMessage) -> Void) {
        let offered = boards.ownOffer(request.activity)
        switch machine.fetchRequested(request, by: device, offered: offered, at: time.now) {
        case .refuse(let failure): reply(.failure(failure))
        case .answer(let state, let saved): reply(.continuation(.fetched(state, saving: .zero, saved: saved)))
        case .ask(let app, let deadline):
            app.request(.advertising(.save(request.activity, deadline: deadline)), deadline: deadline) {
                [weak self] result in
                self?.saved(result, by: app, for: request, of: device, reply: reply)
            }
        }
    }

    private func saved(
        _ result: Result<LocalMessage, Failure>, by app: any Client, for request: FetchRequest, of device: DeviceID,
        reply: (PeerMessage) -> Void
    ) {
        var saving = Duration.zero
        let state: Result<ActivityState, Failure>
        switch result {
        case .success where app.team == nil:
            // It was trusted when it was asked.
            state = .failure(Failure(.activityGone, "the activity is no longer offered"))
        case .success(.advertising(.saved(let saved, let duration))):
            saving = duration
            state = .success(saved)
        case .success: state = .failure(Failure(.malformed, "the origin's app sent an unexpected answer"))
        case .failure(let failure): state = .failure(failure)
        }
        let kept = app.team == nil ? nil : boards.savedState(of: request.activity)
        switch machine.saved(state, kept: kept, for: request.continuation, of: device, at: time.now) {
        case .answer(let state, let saved):
            // A web page goes to a browser, and an app that has quit has no streams.
            if saved == nil, !request.onlyWebPage { streams.stateGiven(request, to: device, by: app) }
            reply(.continuation(.fetched(state, saving: saving, saved: saved)))
        case .refuse(let failure): reply(.failure(failure))
        case .nothing: reply(.failure(Failure(.cancelled, "cancelled by the receiver")))
        }
        if case .success(let state) = state { boards.saved(state, of: request.activity, by: app) }
    }
}
