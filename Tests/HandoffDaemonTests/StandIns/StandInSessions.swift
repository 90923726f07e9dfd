// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire

@testable import HandoffDaemon

/// Sessions without hellos or TLS: messages are encoded, take `latency`, and arrive in order.
final class StandInSessions: PeerMessaging {
    static let latency: Duration = .milliseconds(2)

    let device: DeviceID
    private let time: VirtualTime
    var handlers = PeerHandlers()
    private var peers: [DeviceID: StandInSessions] = [:]
    private var waiting: [UInt64: (Result<PeerMessage, Failure>) -> Void] = [:]
    private var lastRequest: UInt64 = 0
    private(set) var sent: [PeerMessage] = []
    /// If true, sent messages are lost.
    var isDeaf = false

    init(device: DeviceID, time: VirtualTime) {
        self.device = device
        self.time = time
    }

    static func join(_ left: StandInSessions, _ right: StandInSessions) {
        left.peers[right.device] = right
        right.peers[left.device] = left
        for handler in left.handlers.all { handler.sessionOpened(right.device) }
        for handler in right.handlers.all { handler.sessionOpened(left.device) }
    }

    static func part(_ left: StandInSessions, _ right: StandInSessions) {
        left.peers[right.device] = nil
        right.peers[left.device] = nil
        for handler in left.handlers.all { handler.sessionClosed(right.device) }
        for handler in right.handlers.all { handler.sessionClosed(left.device) }
    }

    var connected: Set<DeviceID> { Set(peers.keys) }
    func endpoint(of device: DeviceID) -> PeerEndpoint? { nil }
    func software(of device: DeviceID) -> DisplayText? { nil }
    var wasReached: Bool { false }
    func clock(of device: DeviceID) -> Duration? { nil }
    func problem(of device: DeviceID) -> Failure? { nil }
    func watchingChanged() {}
    func route(to device: DeviceID) -> SessionRoute? { peers[device].map { _ in .accepted } }

    @discardableResult
    func send(_ message: PeerMessage, to device: DeviceID) -> Bool { send(PeerFrame(message), to: device) }

    func request(
        _ message: PeerMessage, to device: DeviceID, deadline: Duration,
        completion: @escaping (Result<PeerMessage, Failure>) -> Void
    ) {
        lastRequest += 1
        let request = lastRequest
        waiting[request] = completion
        time.schedule(after: deadline) { [weak self] in
            self?.waiting.removeValue(forKey: request)?(.failure(Failure(.appTimedOut, "no answer")))
        }
        send(PeerFrame(message, request: request), to: device)
    }

    @discardableResult
    private func send(_ frame: PeerFrame, to device: DeviceID) -> Bool {
        guard let peer = peers[device], let bytes = try? frame.encoded() else { return false }
        sent.append(frame.message)
        guard !isDeaf else { return true }
        time.schedule(after: Self.latency) { [weak peer, own = self.device] in
            guard let frame = try? PeerFrame(encoded: bytes) else { return }
            peer?.arrived(frame, from: own)
        }
        return true
    }

    private func arrived(_ frame: PeerFrame, from device: DeviceID) {
        guard peers[device] != nil else { return }
        if frame.answer != 0 {
            let answer: Result<PeerMessage, Failure> =
                if case .failure(let failure) = frame.message { .failure(failure) } else { .success(frame.message) }
            waiting.removeValue(forKey: frame.answer)?(answer)
            return
        }
        handlers.pass(frame.message, from: device) { [weak self] answer in
            guard frame.request != 0 else { return }
            self?.send(PeerFrame(answer, answer: frame.request), to: device)
        }
    }
}
