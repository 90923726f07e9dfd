// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
import HandoffWire
import Logging
import NIOCore
import NIOPosix

@testable import HandoffNet

/// A device's peer network on real sockets, and its events in order.
final class RealDevice: Sendable {
    enum Event: Sendable, Equatable {
        case dialled(DeviceID)
        case dialFailed(Failure)
        case accepted(DeviceID)
        case received(PeerFrame)
        case closed(Failure?)
        case enrolling(key: [UInt8])
        case enrollMessage(EnrollMessage)
        case enrollClosed(Failure?)
    }

    let key: DeviceKey
    let certificate: DeviceCertificate
    let events: AsyncStream<Event>
    private let loop: any EventLoop
    private let ear: NIOLoopBound<Ear>

    init(
        members: [DeviceKey] = [], former: [DeviceKey] = [], invite: InviteCode? = nil, key: DeviceKey = DeviceKey(),
        enrollTime: TimeAmount = TLSPeerNetwork.enrollTime,
        on loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    ) async throws {
        self.key = key
        let certificate = DeviceCertificate(selfSignedBy: key)
        self.certificate = certificate
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        self.loop = loop
        ear = try await loop.submit {
            let network = try TLSPeerNetwork(
                key: key, certificate: certificate, listen: NetworkAddress(host: "127.0.0.1", port: 0), loop: loop,
                log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, enrollTime: enrollTime)
            let ear = Ear(
                network: network, members: Set(members.map(\.id)), former: Set(former.map(\.id)),
                directory: KeyDirectory(own: key, members: members, former: former, invite: invite),
                events: continuation)
            network.callDirectory = ear.directory
            network.sessionHandler = ear
            network.enrollmentHandler = ear
            return NIOLoopBound(ear, eventLoop: loop)
        }.get()
    }

    var device: DeviceID { key.id }

    func start() async throws -> NetworkAddress {
        try await loop.submit { [ear] in
            try ear.value.network.start()
            return ear.value.network.listeningAddress!
        }.get()
    }

    func dial(_ address: NetworkAddress, expecting device: DeviceID?) {
        loop.execute { [ear] in
            let ear = ear.value
            ear.network.dial(.address(address), expecting: device) { result in
                switch result {
                case .success(let link):
                    ear.links.append(link)
                    ear.events.yield(.dialled(link.device))
                case .failure(let failure): ear.events.yield(.dialFailed(failure))
                }
            }
        }
    }

    func dialToEnroll(_ address: NetworkAddress, with code: InviteCode) {
        loop.execute { [ear] in
            let ear = ear.value
            ear.network.dialToEnroll(address, with: code.callSecret) { result in
                switch result {
                case .success(let link):
                    ear.enrollLinks.append(link)
                    ear.events.yield(.enrolling(key: link.remoteKey))
                case .failure(let failure): ear.events.yield(.dialFailed(failure))
                }
            }
        }
    }

    func send(_ frame: PeerFrame) { loop.execute { [ear] in ear.value.links.last?.send(frame) } }
    func send(_ message: EnrollMessage) { loop.execute { [ear] in ear.value.enrollLinks.last?.send(message) } }
    func close() { loop.execute { [ear] in ear.value.links.last?.close() } }
    func identify(_ key: DeviceKey) async throws {
        try await loop.submit { [ear] in
            ear.value.directory.identify(key)
            try ear.value.network.identify(key: key, certificate: DeviceCertificate(selfSignedBy: key))
        }.get()
    }
    func stop() { loop.execute { [ear] in ear.value.network.stop() } }

    func next() async -> Event? {
        var iterator = events.makeAsyncIterator()
        return await iterator.next()
    }

    private final class Ear: PeerSessionHandler, EnrollmentHandler {
        let network: TLSPeerNetwork
        let members: Set<DeviceID>
        let former: Set<DeviceID>
        let directory: KeyDirectory
        let events: AsyncStream<Event>.Continuation
        var links: [any PeerLink] = []
        var enrollLinks: [any EnrollLink] = []

        init(
            network: TLSPeerNetwork, members: Set<DeviceID>, former: Set<DeviceID>, directory: KeyDirectory,
            events: AsyncStream<Event>.Continuation
        ) {
            self.network = network
            self.members = members
            self.former = former
            self.directory = directory
            self.events = events
        }

        func admission(of device: DeviceID) -> Admission {
            members.contains(device) ? .member : former.contains(device) ? .former : .stranger
        }
        func linkAccepted(_ link: any PeerLink) {
            links.append(link)
            events.yield(.accepted(link.device))
        }
        func frameReceived(_ frame: PeerFrame, on link: any PeerLink) { events.yield(.received(frame)) }
        func linkClosed(_ link: any PeerLink, failure: Failure?) { events.yield(.closed(failure)) }
        func enrollLinkAccepted(_ link: any EnrollLink) {
            enrollLinks.append(link)
            events.yield(.enrolling(key: link.remoteKey))
        }
        func enrollMessageReceived(_ message: EnrollMessage, on link: any EnrollLink) {
            events.yield(.enrollMessage(message))
        }
        func enrollLinkClosed(_ link: any EnrollLink, failure: Failure?) { events.yield(.enrollClosed(failure)) }
    }
}
