// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

final class ContinuationOrigin {
    private let boards: AdvertisingService
    private let membership: any Membership
    private let streams: StreamsService
    private let documents: DocumentOrigin
    private let time: any TimeSource
    private var machine: OriginStateMachine<any Client>
    var onTransfer: (ActivityTransfer) -> Void = { _ in }

    init(
        boards: AdvertisingService, membership: any Membership, streams: StreamsService, documents: DocumentOrigin,
        time: any TimeSource, limits: ContinuationLimits
    ) {
        self.boards = boards
        self.membership = membership
        self.streams = streams
        self.documents = documents
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
        case .answer(let state, let saved):
            give(state, of: offered?.offer, for: request, to: device, saved: saved, reply: reply)
        case .ask(let app, let deadline):
            let question = LocalMessage.advertising(
                .save(request.activity, deadline: deadline, withFiles: !request.onlyWebPage))
            app.request(question, deadline: deadline) { [weak self] result in
                self?.saved(result, by: app, of: offered?.offer, for: request, to: device, reply: reply)
            }
        }
    }

    private func give(
        _ state: ActivityState, of offer: Offer?, for request: FetchRequest, to device: DeviceID,
        files: [SavedFile] = [], by processID: Int32? = nil, saving: Duration = .zero, saved: WallTime?,
        reply: @escaping (PeerMessage) -> Void
    ) {
        documents.prepare(state, of: offer?.bundle, for: request, to: device, files: files, by: processID) {
            [weak self] result in
            switch result {
            case .success(let prepared):
                reply(
                    .continuation(
                        .fetched(
                            prepared.state, saving: saving, saved: saved, documents: prepared.documents,
                            filesLeft: prepared.filesLeft)))
                self?.note(offer, state, to: device)
            case .failure(let failure): reply(.failure(failure))
            }
        }
    }

    private func note(_ offer: Offer?, _ state: ActivityState, to device: DeviceID) {
        guard let offer else { return }
        onTransfer(
            ActivityTransfer(
                .sent, offer, at: time.wallTime, device: device, named: membership.member(device)?.name,
                persistentIdentifier: state.persistentIdentifier))
    }

    private func saved(
        _ result: Result<LocalMessage, Failure>, by app: any Client, of offer: Offer?, for request: FetchRequest,
        to device: DeviceID, reply: @escaping (PeerMessage) -> Void
    ) {
        let answer = app.saved(result, who: "the origin's app")
        let given = try? answer.get()
        let kept = app.team == nil ? nil : boards.savedState(of: request.activity)
        switch machine.saved(answer.map(\.state), kept: kept, for: request.continuation, of: device, at: time.now) {
        case .answer(let state, let saved):
            // A web page is for a browser, and an app that has quit has no streams.
            if saved == nil, !request.onlyWebPage { streams.stateGiven(request, to: device, by: app) }
            give(
                state, of: offer, for: request, to: device, files: saved == nil ? given?.files ?? [] : [],
                by: app.processID, saving: given?.saving ?? .zero, saved: saved, reply: reply)
        case .refuse(let failure): reply(.failure(failure))
        case .nothing: reply(.failure(Failure(.cancelled, "cancelled by the receiver")))
        }
        if let given { boards.saved(given.state, of: request.activity, by: app) }
    }
}
