// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
import HandoffWire
import NIOCore
import NIOPosix
import NIOSSL
import Testing

@testable import HandoffNet

/// Shows X07, X08: who gets a connection, on real sockets.
@Suite(.timeLimit(.minutes(1))) struct TLSPeerNetworkTests {
    private let laptopKey = DeviceKey()
    private let desktopKey = DeviceKey()

    private func laptop() async throws -> RealDevice { try await RealDevice(members: [desktopKey], key: laptopKey) }
    private func desktop() async throws -> RealDevice { try await RealDevice(members: [laptopKey], key: desktopKey) }

    private let ping = PeerFrame(.ping, request: 1)
    private let pong = PeerFrame(.pong, answer: 1)

    @Test func carriesFramesBothWaysAndEndsInGoodOrder() async throws {
        let laptop = try await laptop()
        let desktop = try await desktop()
        let address = try await desktop.start()
        laptop.dial(address, expecting: desktop.device)
        #expect(await laptop.next() == .dialled(desktop.device))
        #expect(await desktop.next() == .accepted(laptop.device))
        laptop.send(ping)
        #expect(await desktop.next() == .received(ping))
        desktop.send(pong)
        #expect(await laptop.next() == .received(pong))
        // The queue arrives before the end.
        for number in 2...200 { laptop.send(PeerFrame(.ping, request: UInt64(number))) }
        laptop.close()
        for number in 2...200 { #expect(await desktop.next() == .received(PeerFrame(.ping, request: UInt64(number)))) }
        #expect(await desktop.next() == .closed(nil))
        #expect(await laptop.next() == .closed(nil))
        desktop.stop()
    }

    @Test func dialsAnyMemberThatAnswersAtAManualAddress() async throws {
        let laptop = try await laptop()
        let desktop = try await desktop()
        let address = try await desktop.start()
        laptop.dial(NetworkAddress(host: "localhost", port: address.port), expecting: nil)
        #expect(await laptop.next() == .dialled(desktop.device))
        desktop.stop()
    }

    @Test func withAnotherKeyItIsAnotherDeviceFromThenOn() async throws {
        let newKey = DeviceKey()
        let laptop = try await RealDevice(members: [desktopKey, newKey], key: laptopKey)
        let desktop = try await desktop()
        let address = try await desktop.start()
        laptop.dial(address, expecting: desktopKey.id)
        #expect(await laptop.next() == .dialled(desktopKey.id))
        #expect(await desktop.next() == .accepted(laptop.device))
        try await desktop.identify(newKey)
        laptop.dial(address, expecting: desktopKey.id)
        #expect(await laptop.next() == .dialFailed(Failure(.connectionUnavailable, "")))
        laptop.dial(address, expecting: newKey.id)
        #expect(await laptop.next() == .dialled(newKey.id))
        #expect(await desktop.next() == .accepted(laptop.device))
        try await laptop.identify(newKey)
        laptop.dial(address, expecting: nil)
        #expect(await laptop.next() == .dialFailed(Failure(.notAMember, "")))
        desktop.stop()
    }

    @Test func doesNotTakeAnotherDeviceForTheExpectedOne() async throws {
        let strangersPhone = DeviceKey()
        let laptop = try await RealDevice(members: [desktopKey, strangersPhone], key: laptopKey)
        let desktop = try await desktop()
        let address = try await desktop.start()
        laptop.dial(address, expecting: strangersPhone.id)
        #expect(await laptop.next() == .dialFailed(Failure(.connectionUnavailable, "")))
        desktop.stop()
    }

    @Test func doesNotDialADeviceOutsideTheRoster() async throws {
        let laptop = try await RealDevice(members: [], key: laptopKey)
        let desktop = try await desktop()
        let address = try await desktop.start()
        laptop.dial(address, expecting: desktop.device)
        #expect(await laptop.next() == .dialFailed(Failure(.notAMember, "")))
        desktop.stop()
    }

    @Test func doesNotAcceptADeviceOutsideTheRoster() async throws {
        let strangersPhone = try await RealDevice(members: [desktopKey])
        let laptop = try await laptop()
        let desktop = try await desktop()
        let address = try await desktop.start()
        strangersPhone.dial(address, expecting: desktop.device)
        #expect(await strangersPhone.next() == .dialFailed(Failure(.connectionUnavailable, "")))
        laptop.dial(address, expecting: desktop.device)
        #expect(await desktop.next() == .accepted(laptop.device))
        desktop.stop()
    }

    // Shows T03
    @Test func aFormerMemberIsHeardWhereItDialsAndNotDialled() async throws {
        let laptop = try await laptop()
        let desktop = try await RealDevice(former: [laptopKey], key: desktopKey)
        laptop.dial(try await desktop.start(), expecting: desktop.device)
        #expect(await desktop.next() == .accepted(laptop.device))
        desktop.dial(try await laptop.start(), expecting: nil)
        #expect(await desktop.next() == .dialFailed(Failure(.connectionUnavailable, "")))
        laptop.stop()
        desktop.stop()
    }

    @Test func doesNotTalkToItself() async throws {
        let laptop = try await RealDevice(members: [laptopKey, desktopKey], key: laptopKey)
        let address = try await laptop.start()
        laptop.dial(address, expecting: nil)
        #expect(await laptop.next() == .dialFailed(Failure(.notAMember, "")))
        laptop.stop()
    }

    private let code = InviteCode()

    private func joining(
        enrollTime: TimeAmount = TLSPeerNetwork.enrollTime
    ) async throws -> (phone: RealDevice, inviter: RealDevice) {
        let phone = try await RealDevice()
        let inviter = try await RealDevice(
            members: [laptopKey], invite: code, key: desktopKey, enrollTime: enrollTime)
        let address = try await inviter.start()
        phone.dialToEnroll(address, with: code)
        #expect(await phone.next() == .enrolling(key: desktopKey.publicKey.spki))
        #expect(await inviter.next() == .enrolling(key: phone.key.publicKey.spki))
        return (phone, inviter)
    }

    @Test func aNewDeviceMayConnectToJoinOnlyWhileAnInviteIsOpen() async throws {
        let (phone, inviter) = try await joining()
        let refusal = EnrollMessage.refusal(Failure(.wrongCode, "wrong code"), triesLeft: 2)
        inviter.send(refusal)
        #expect(await phone.next() == .enrollMessage(refusal))
        inviter.stop()

        let busy = try await desktop()
        phone.dialToEnroll(try await busy.start(), with: code)
        var last: RealDevice.Event?
        repeat {
            last = await phone.next()
        } while last.map { if case .enrollClosed = $0 { true } else { false } } == true
        #expect(last == .dialFailed(Failure(.connectionUnavailable, "")))
        busy.stop()
    }

    // Shows X07. A device with a wrong code is a stranger: it cannot even try the code.
    @Test func wrongCodeGetsNoAnswer() async throws {
        let inviter = try await RealDevice(members: [laptopKey], invite: code, key: desktopKey)
        let phone = try await RealDevice()
        phone.dialToEnroll(try await inviter.start(), with: InviteCode())
        #expect(await phone.next() == .dialFailed(Failure(.connectionUnavailable, "")))
        inviter.stop()
    }

    /// Before the proof, 4 KiB are enough for a request to join.
    @Test func aJoiningDeviceGetsAWholeRoster() async throws {
        let (phone, inviter) = try await joining()
        let statement = SignedStatement(
            statement: Array(repeating: 1, count: Limits.rosterBytes / 64), signer: [1], signature: [1])
        let admission = EnrollMessage.admission(
            .init(
                proof: [UInt8](repeating: 0, count: 32),
                roster: RosterUpdate(statements: Array(repeating: statement, count: 64))))
        inviter.send(admission)
        #expect(await phone.next() == .enrollMessage(admission))
        inviter.stop()
    }

    /// Shows X06. Only this connection is cut, at its limit, regardless of the daemon.
    @Test func aSilentJoiningConnectionIsCut() async throws {
        #expect(TLSPeerNetwork.enrollTime == .seconds(150))
        let (phone, inviter) = try await joining(enrollTime: .milliseconds(300))
        #expect(await inviter.next() == .enrollClosed(Failure(.connectionUnavailable, "")))
        guard case .enrollClosed? = await phone.next() else {
            Issue.record("the joining device does not see the end")
            return
        }
        let refusal = EnrollMessage.refusal(Failure(.wrongCode, "wrong code"), triesLeft: 2)
        let (later, patient) = try await joining()
        patient.send(refusal)
        #expect(await later.next() == .enrollMessage(refusal))
        inviter.stop()
        patient.stop()
    }

    @Test func aStrangerGetsNoSessionWhileAnInviteIsOpen() async throws {
        let strangersPhone = try await RealDevice(members: [desktopKey])
        let inviter = try await RealDevice(members: [laptopKey], invite: code, key: desktopKey)
        let address = try await inviter.start()
        strangersPhone.dial(address, expecting: inviter.device)
        #expect(await strangersPhone.next() == .dialFailed(Failure(.connectionUnavailable, "")))
        inviter.stop()
    }

    @Test func reportsAnUnreachableAddress() async throws {
        let laptop = try await laptop()
        laptop.dial(NetworkAddress(host: "127.0.0.1", port: 1), expecting: desktopKey.id)
        #expect(await laptop.next() == .dialFailed(Failure(.connectionUnavailable, "")))
        laptop.dial(NetworkAddress(host: "no-such-host.invalid", port: 1), expecting: desktopKey.id)
        #expect(await laptop.next() == .dialFailed(Failure(.connectionUnavailable, "")))
    }

    @Test func namesThePortThatIsTaken() async throws {
        let desktop = try await desktop()
        let address = try await desktop.start()
        let failure = #expect(throws: Failure.self) { _ = try ListeningSocket.open(address, usualPort: 0).give() }
        #expect(failure?.reason.contains("\(address)") == true)
        desktop.stop()
    }

    @Test func takesAnotherPortIfTheUsualPortIsTaken() async throws {
        let desktop = try await desktop()
        let address = try await desktop.start()
        let everywhere = try ListeningSocket.open(nil, usualPort: address.port)
        #expect(everywhere.address.port != 0)
        let taken = try ListeningSocket.open(NetworkAddress(host: "*", port: 0), usualPort: 0)
        #expect(taken.address.port != everywhere.address.port)
        desktop.stop()
    }

    @Test func refusesOlderTLS() async throws {
        let desktop = try await desktop()
        let address = try await desktop.start()
        try await expectRefusal(of: .init(maximumTLSVersion: .tlsv12, protocols: ["handoff/1"]), at: address)
        desktop.stop()
    }

    @Test(arguments: [[], ["http/1.1"], ["handoff/2"]] as [[String]])
    func refusesAnUnknownPurpose(_ protocols: [String]) async throws {
        let desktop = try await desktop()
        let address = try await desktop.start()
        try await expectRefusal(of: .init(maximumTLSVersion: nil, protocols: protocols), at: address)
        desktop.stop()
    }

    @Test func aThousandStalledHandshakesDoNotBlockAMember() async throws {
        let desktop = try await desktop()
        let address = try await desktop.start()
        let group = MultiThreadedEventLoopGroup.singleton
        var idlers: [any Channel] = []
        // All are silent. The other side closes the displaced connections, so both ends fit into one process.
        for _ in 0..<1000 {
            idlers.append(try await ClientBootstrap(group: group).connect(to: address.socketAddress!).get())
        }
        let laptop = try await laptop()
        laptop.dial(address, expecting: desktop.device)
        #expect(await laptop.next() == .dialled(desktop.device))
        #expect(await desktop.next() == .accepted(laptop.device))
        for idler in idlers { idler.close(promise: nil) }
        desktop.stop()
    }

    // MARK: A client with other protocols

    private struct OddClient {
        var maximumTLSVersion: TLSVersion?
        var protocols: [String]
    }

    /// A member's key, but another protocol: the other side must end the connection.
    private func expectRefusal(of client: OddClient, at address: NetworkAddress) async throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv1
        configuration.maximumTLSVersion = client.maximumTLSVersion
        configuration.applicationProtocols = client.protocols
        configuration.certificateVerification = .none
        configuration.certificateChain = [
            .certificate(try NIOSSLCertificate(bytes: DeviceCertificate(selfSignedBy: laptopKey).der, format: .der))
        ]
        configuration.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: laptopKey.der, format: .der))
        let context = try NIOSSLContext(configuration: configuration)
        let secret = try #require(laptopKey.callSecrets(with: desktopKey.publicKey)?.calling)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        CallPlacing(secrets: [secret]), NIOSSLClientHandler(context: context, serverHostname: nil),
                    ])
                }
            }
            .connect(to: address.socketAddress!).get()
        // Fails only by the suite's time limit.
        try await channel.closeFuture.get()
    }
}
