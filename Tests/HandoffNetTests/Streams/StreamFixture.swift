// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Logging
import NIOCore
import NIOPosix

@testable import HandoffDaemon
@testable import HandoffNet

/// Both of a daemon's stream adapters on real sockets, and their events in order. It joins the app and the device with
/// the same token, and treats each end as intended, unless configured otherwise.
final class StreamFixture: Sendable {
    enum Event: Sendable, Equatable {
        case attached(process: Int32)
        case offered(StreamHello, by: DeviceID)
        case dialled
        case dialFailed(Failure)
        case bytesEnded(StreamParty, UInt64)
        case closed(StreamParty, Failure?)
        case clientAccepted
        case clientClosed(Failure?)
        case frame(LocalMessage)
        /// For streams that end in the daemon itself: the number of received bytes, all correct.
        case arrived(Int)
        case ended(inOrder: Bool)
        case mark
    }

    let key: DeviceKey
    let path: String
    let address: NetworkAddress
    let loop: any EventLoop
    let events: AsyncStream<Event>
    /// Devices with which a stream moved bytes.
    let moves: AsyncStream<DeviceID>
    private let ear: NIOLoopBound<Ear>

    init(
        key: DeviceKey = DeviceKey(), members: [DeviceKey] = [], joins: Bool = true, confirms: Bool = true,
        streamsAtOnce: Int = UnixClientListener.streams
    ) async throws {
        self.key = key
        let path = Self.temporaryPath()
        self.path = path
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        self.loop = loop
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        let (moves, moved) = AsyncStream.makeStream(of: DeviceID.self)
        self.moves = moves
        let ear = try await loop.submit {
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let network = try TLSPeerNetwork(
                key: key, certificate: DeviceCertificate(selfSignedBy: key),
                listen: NetworkAddress(host: "127.0.0.1", port: 0), loop: loop, log: log, streamsAtOnce: streamsAtOnce)
            let listener = UnixClientListener(
                path: path, loop: loop, userID: getuid(), log: log, streamsAtOnce: streamsAtOnce,
                credentials: { PeerCredentials(socket: $0) })
            let ear = Ear(network, listener, members: Set(members.map(\.id)), events: continuation, moved: moved)
            ear.directory = KeyDirectory(own: key, members: members)
            network.callDirectory = ear.directory
            ear.joins = joins
            ear.confirms = confirms
            network.sessionHandler = ear
            network.streamHandler = ear
            listener.handler = ear
            try network.start()
            try listener.start()
            listener.accept()
            return NIOLoopBound(ear, eventLoop: loop)
        }.get()
        self.ear = ear
        address = try await loop.submit { ear.value.network.listeningAddress! }.get()
    }

    deinit { try? FileManager.default.removeItem(atPath: String(path.dropLast("/run/daemon.sock".count))) }

    var device: DeviceID { key.id }

    private static func temporaryPath() -> String {
        var template = Array("/tmp/handoff-XXXXXX".utf8CString)
        mkdtemp(&template)
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) + "/run/daemon.sock"
    }

    func dial(_ other: StreamFixture, _ hello: StreamHello) { dial(other.address, expecting: other.device, hello) }

    func dial(_ address: NetworkAddress, expecting device: DeviceID, _ hello: StreamHello) {
        on { ear in
            ear.network.dialStream(.address(address), expecting: device, hello: hello) { result in
                switch result {
                case .success(let link):
                    ear.events.yield(.dialled)
                    ear.came(link, hello.token, .device)
                case .failure(let failure): ear.events.yield(.dialFailed(failure))
                }
            }
        }
    }

    /// For later streams.
    func set(joins: Bool? = nil, confirms: Bool? = nil) {
        on { ear in
            if let joins { ear.joins = joins }
            if let confirms { ear.confirms = confirms }
        }
    }
    func join() { on { $0.joinAll() } }
    /// Later streams of a device end in the daemon itself, which sends `count` bytes and receives the rest.
    func endHere(sending count: Int, of pattern: Pattern, taking: Pattern, isTaking: Bool = true) {
        on { [loop] ear in
            let end = DaemonStreamEnd(time: EventLoopTime(loop: loop))
            ear.resident = StreamResident(end, sends: count, of: pattern, takes: taking) { ear.events.yield($0) }
            ear.resident?.isTaking = isTaking
        }
    }
    func setTaking() { on { $0.resident?.isTaking = true } }
    func resident<Value: Sendable>(_ look: @escaping @Sendable (StreamResident) -> Value) async throws -> Value {
        try await loop.submit { [ear] in look(ear.value.resident!) }.get()
    }
    /// Bytes of all streams that were received and not yet forwarded.
    func held() async throws -> Int { try await loop.submit { [ear] in ear.value.budget.held }.get() }
    func confirm(_ side: StreamParty) { on { ear in ear.links(of: side).forEach { $0.confirmEnd() } } }
    func cut(_ failure: Failure) { on { $0.links(of: .device).first?.cut(failure) } }
    func refuse(_ side: StreamParty, _ failure: Failure) {
        on { ear in ear.links(of: side).forEach { $0.refuse(failure) } }
    }
    func stop() {
        on { ear in
            ear.network.stop()
            ear.listener.stop()
        }
    }

    func look<Value: Sendable>(
        at side: StreamParty, _ look: @escaping @Sendable (ChannelStreamLink) throws -> Value
    ) async throws -> Value {
        try await loop.submit { [ear] in try look(ear.value.links(of: side).first! as! ChannelStreamLink) }.get()
    }

    func next() async -> Event? {
        var iterator = events.makeAsyncIterator()
        return await iterator.next()
    }

    /// Skips earlier events.
    func next(where matches: (Event) -> Bool) async -> Event? {
        for await event in events where matches(event) { return event }
        return nil
    }

    /// True if the loop has finished its work without an event.
    func noEventArrived() async -> Bool {
        on { $0.events.yield(.mark) }
        return await next() == .mark
    }

    private func on(_ work: @escaping @Sendable (Ear) -> Void) { loop.execute { [ear] in work(ear.value) } }

    private final class Ear: PeerSessionHandler, PeerStreamHandler, ClientListenerHandler, StreamLinkObserver {
        struct Stream {
            var token: StreamToken
            var app: (any StreamLink)?
            var device: (any StreamLink)?
            var isJoined = false
        }

        let network: TLSPeerNetwork
        let listener: UnixClientListener
        let members: Set<DeviceID>
        var directory: KeyDirectory?
        let events: AsyncStream<Event>.Continuation
        let moved: AsyncStream<DeviceID>.Continuation
        var joins = true
        var confirms = true
        let budget = StreamBudget()
        var resident: StreamResident?
        var streams: [Stream] = []

        init(
            _ network: TLSPeerNetwork, _ listener: UnixClientListener, members: Set<DeviceID>,
            events: AsyncStream<Event>.Continuation, moved: AsyncStream<DeviceID>.Continuation
        ) {
            self.network = network
            self.listener = listener
            self.members = members
            self.events = events
            self.moved = moved
        }

        func links(of side: StreamParty) -> [any StreamLink] {
            streams.compactMap { side == .app ? $0.app : $0.device }
        }

        func came(_ link: any StreamLink, _ token: StreamToken, _ side: StreamParty) {
            link.observer = self
            if let resident, side == .device {
                resident.end.observer = self
                link.join(resident.end, within: budget)
                return
            }
            if !streams.contains(where: { $0.token == token }) { streams.append(Stream(token: token)) }
            let index = streams.firstIndex { $0.token == token }!
            if side == .app { streams[index].app = link } else { streams[index].device = link }
            if joins { joinAll() }
        }

        func joinAll() {
            for index in streams.indices where !streams[index].isJoined {
                guard let app = streams[index].app, let device = streams[index].device else { continue }
                streams[index].isJoined = true
                app.join(device, within: budget)
            }
        }

        private func side(of link: any StreamLink) -> StreamParty { (link as? ChannelStreamLink)?.party ?? .daemon }

        func streamAttached(_ token: StreamToken, by processID: Int32, on link: any StreamLink) {
            events.yield(.attached(process: processID))
            came(link, token, .app)
        }
        func streamOffered(_ hello: StreamHello, by device: DeviceID, on link: any StreamLink) {
            events.yield(.offered(hello, by: device))
            came(link, hello.token, .device)
        }
        func streamBytesEnded(on link: any StreamLink, after byteCount: UInt64) {
            events.yield(.bytesEnded(side(of: link), byteCount))
            if confirms { link.confirmEnd() }
        }
        func streamLinkClosed(_ link: any StreamLink, failure: Failure?) {
            events.yield(.closed(side(of: link), failure))
        }

        func admission(of device: DeviceID) -> Admission { members.contains(device) ? .member : .stranger }
        func linkAccepted(_ link: any PeerLink) {}
        func frameReceived(_ frame: PeerFrame, on link: any PeerLink) {}
        func linkClosed(_ link: any PeerLink, failure: Failure?) {}
        func streamMoved(with device: DeviceID) { moved.yield(device) }
        func clientAccepted(_ link: any ClientLink) { events.yield(.clientAccepted) }
        func frameReceived(_ frame: LocalFrame, on link: any ClientLink) { events.yield(.frame(frame.message)) }
        func clientClosed(_ link: any ClientLink, failure: Failure?) { events.yield(.clientClosed(failure)) }
    }
}
