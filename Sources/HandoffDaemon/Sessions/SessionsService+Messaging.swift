// SPDX-License-Identifier: Apache-2.0

import HandoffCore
package import HandoffWire

extension SessionsService: PeerMessaging {
    package var connected: Set<DeviceID> { Set(open.keys) }

    func endpoint(of device: DeviceID) -> PeerEndpoint? {
        open[device].map { $0.listening ?? $0.link.endpoint }
    }

    func software(of device: DeviceID) -> DisplayText? { open[device]?.software }
    func problem(of device: DeviceID) -> Failure? { problems[device] }

    func clock(of device: DeviceID) -> Duration? {
        open[device]?.clock.map { clock in
            time.wallTime.duration(to: clock.shown.advanced(by: clock.heard.duration(to: time.now)))
        }
    }

    func route(to device: DeviceID) -> SessionRoute? {
        (open[device]?.link).map { $0.isDialled ? .dialled($0.endpoint) : .accepted }
    }

    func way(to device: DeviceID) -> SessionWay? {
        guard let session = open[device], let boot = session.candidate?.boot else { return nil }
        return SessionWay(
            boot: boot, endpoint: session.link.endpoint, localHost: session.link.localHost,
            preference: session.link.preference, listening: session.listening)
    }

    @discardableResult
    func send(_ message: PeerMessage, to device: DeviceID) -> Bool {
        guard let session = open[device] else { return false }
        carryOut(session.machine.send(message, now: time.now), on: session)
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
        carryOut(session.machine.request(message, waiter: completion, deadline: instant, now: time.now), on: session)
    }

    func linkDialled(_ link: any PeerLink) {
        // The dial began without a session of at least equal preference. If several succeed, the chooser decides.
        guard LinkElection.isWorthwhile(link.preference, beside: open[link.device]?.link.preference) else {
            link.close()
            return
        }
        begin(link)
    }

    func watchingChanged() {
        for (device, session) in open {
            let isWatched = handlers.all.contains { $0.isWatching(device) }
            let actions = session.machine.watched(isWatched, now: time.now)
            if !actions.isEmpty { carryOut(actions, on: session) }
        }
        arm()
    }

    func probe(_ device: DeviceID) {
        guard let session = open[device] else { return }
        carryOut(session.machine.linkDoubted(now: time.now), on: session)
    }
}

protocol PeerMessaging: AnyObject {
    var connected: Set<DeviceID> { get }
    var wasReached: Bool { get }
    /// For display; nil without a session.
    func endpoint(of device: DeviceID) -> PeerEndpoint?
    /// Unchecked; nil without a session.
    func software(of device: DeviceID) -> DisplayText?
    /// How far it is ahead of this device's; nil without a session, or from an older version.
    func clock(of device: DeviceID) -> Duration?
    /// If known.
    func problem(of device: DeviceID) -> Failure?
    /// Nil without a session. Another connection can be opened in that direction.
    func route(to device: DeviceID) -> SessionRoute?
    /// False without a session: nothing was sent.
    @discardableResult
    func send(_ message: PeerMessage, to device: DeviceID) -> Bool
    /// Calls `completion` once: with the answer (a `.failure` message becomes the failure), with `.deviceLost` if the
    /// session ends first, with `.appTimedOut` at the deadline, or at once with `.connectionUnavailable` without a
    /// session.
    func request(
        _ message: PeerMessage, to device: DeviceID, deadline: Duration,
        completion: @escaping (Result<PeerMessage, Failure>) -> Void)

    /// Call after a change of `SessionObserver.isWatching`.
    func watchingChanged()

    var handlers: PeerHandlers { get set }
}

enum SessionRoute: Hashable, Sendable {
    case dialled(PeerEndpoint)
    case accepted
}
