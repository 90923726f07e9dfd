// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import Logging

final class PeerBoards {
    static let snapshotDeadline: Duration = .seconds(10)

    private let sessions: any PeerMessaging
    private let time: any TimeSource
    private let log: Logger
    private(set) var boards: [DeviceID: PeerBoard] = [:]
    var onChange: () -> Void = {}

    init(sessions: any PeerMessaging, time: any TimeSource, log: Logger) {
        self.sessions = sessions
        self.time = time
        self.log = log
    }

    var offerCount: Int { boards.values.reduce(0) { $0 + $1.offers.count } }

    func offers(of device: DeviceID) -> [Offer] {
        boards[device]?.offers.filter { !$0.isExpired(at: time.wallTime) } ?? []
    }

    func offer(_ activity: ActivityID, on device: DeviceID) -> Offer? {
        boards[device]?.offer(activity).flatMap { $0.isExpired(at: time.wallTime) ? nil : $0 }
    }

    var nextDeadline: Instant? {
        let expiry = boards.values.lazy.compactMap(\.nextExpiry).min()
        return expiry.map(time.look(for:))
    }

    func expire() -> Bool {
        var isChanged = false
        for device in boards.keys where boards[device]?.expire(wall: time.wallTime) ?? false { isChanged = true }
        return isChanged
    }

    func sessionOpened(_ device: DeviceID) { boards[device] = PeerBoard() }

    func sessionClosed(_ device: DeviceID) {
        guard let board = boards.removeValue(forKey: device), !board.offers.isEmpty else { return }
        onChange()
    }

    func received(_ snapshot: BoardSnapshot, from device: DeviceID) {
        if boards[device]?.snapshotReceived(snapshot, wall: time.wallTime) ?? false { onChange() }
    }

    func received(_ delta: BoardDelta, from device: DeviceID) {
        switch boards[device]?.deltaReceived(delta, wall: time.wallTime) {
        case .show?: onChange()
        case .askForSnapshot?: askForSnapshot(device)
        case .ignore?, nil: break
        }
    }

    private func askForSnapshot(_ device: DeviceID) {
        log.debug("Missed a change of a peer's board", metadata: ["device": "\(device.short)"])
        sessions.request(.advertising(.boardRequest), to: device, deadline: Self.snapshotDeadline) {
            [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.advertising(.boardSnapshot(let snapshot))): received(snapshot, from: device)
            case .success, .failure: boards[device]?.snapshotFailed()
            }
        }
    }
}
