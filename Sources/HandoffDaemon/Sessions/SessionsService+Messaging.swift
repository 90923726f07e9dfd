// SPDX-License-Identifier: Apache-2.0

import HandoffCore
package import HandoffWire

extension SessionsService: PeerMessaging {
    package var connected: Set<DeviceID> { Set(open.keys) }

    func endpoint(of device: DeviceID) -> PeerEndpoint? {
        open[device].map { $0.listening ?? $0.link.endpoint }
    }

    func route(to device: DeviceID) -> SessionRoute? {
        (open[device]?.link).map { $0.isDialled ? .dialled($0.endpoint) : .accepted }
    }

    func way(to device: DeviceID) -> SessionWay? {
        guard let session = open[device], let boot = session.candidate?.boot else { return nil }
        return SessionWay(
            boot: boot, endpoint: session.link.endpoint, preference: session.link.preference,
            listening: session.listening)
    }

    @discardableResult
    func send(_ message: PeerMessage, to device: DeviceID) -> Bool {
        guard let session = open[device] else { return false }
        carryOut(session.machine.send(message), on: session)
        return true
    }

    func request(
        _ message: PeerMessage, to device: DeviceID, deadline: Duration,
        completion: @escaping (Result<PeerMessage, Failure>) -> Void
    ) {
        guard let session = open[device] else {
            completion(.failure(.noSession))
            return
        }
        let instant = time.now.advanced(by: deadline)
        carryOut(session.machine.request(message, waiter: completion, deadline: instant), on: session)
    }

    /// A dial succeeded. The link is closed immediately if there is a session of at least equal preference.
    func linkDialled(_ link: any PeerLink) {
        // When the dial began, there was no session of at least equal preference. If several dials succeed, the chooser
        // decides.
        guard LinkElection.isWorthwhile(link.preference, beside: open[link.device]?.link.preference) else {
            link.close()
            return
        }
        begin(link)
    }

    func probe(_ device: DeviceID) {
        guard let session = open[device] else { return }
        carryOut(session.machine.linkDoubted(now: time.now), on: session)
    }
}

/// The sessions with other devices. Implemented by `SessionsService`.
protocol PeerMessaging: AnyObject {
    var connected: Set<DeviceID> { get }
    /// The address of the session's other side, for display; nil without a session.
    func endpoint(of device: DeviceID) -> PeerEndpoint?
    /// Which device opened the session; nil without a session. Another connection can be opened in that direction.
    func route(to device: DeviceID) -> SessionRoute?
    /// False without a session; then nothing was sent.
    @discardableResult
    func send(_ message: PeerMessage, to device: DeviceID) -> Bool
    /// `completion` is called once: with the answer (a `.failure` message becomes the failure), with `.deviceLost` if
    /// the session ends first, with `.appTimedOut` at the deadline, or with `.connectionUnavailable` immediately if
    /// there is no session.
    func request(
        _ message: PeerMessage, to device: DeviceID, deadline: Duration,
        completion: @escaping (Result<PeerMessage, Failure>) -> Void)

    /// Set by each feature, or by the wiring.
    var handlers: PeerHandlers { get set }
}

enum SessionRoute: Hashable, Sendable {
    case dialled(PeerEndpoint)
    case accepted
}
