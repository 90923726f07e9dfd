// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

extension SessionsService: LinkIntake {
    package var connected: Set<DeviceID> { Set(open.keys) }

    package func address(of device: DeviceID) -> NetworkAddress? { open[device]?.link.remoteAddress }

    package func boot(of device: DeviceID) -> BootID? { open[device]?.candidate?.boot }

    package func isDialled(_ device: DeviceID) -> Bool { open[device]?.link.isDialled == true }

    @discardableResult
    package func send(_ message: PeerMessage, to device: DeviceID) -> Bool {
        guard let session = open[device] else { return false }
        carryOut(session.machine.send(message), on: session)
        return true
    }

    package func request(
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

    package func linkDialled(_ link: any PeerLink) {
        // Dials of two addresses may both be answered. The side that dialled says hello on one of them only, so the
        // other side never has to choose.
        guard !links.contains(where: { $0.device == link.device && $0.link.isDialled }) else {
            link.close()
            return
        }
        begin(link)
    }

    package func probe(_ device: DeviceID) {
        guard let session = open[device] else { return }
        carryOut(session.machine.linkDoubted(now: time.now), on: session)
    }
}
