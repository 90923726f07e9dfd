// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire
internal import Logging
internal import NIOCore

/// One frame each way, then bytes.
extension TLSPeerNetwork {
    // MARK: Accepted

    /// If this throws, the caller must close the channel.
    func openOfferedStream(_ number: UInt64, _ proof: TLSHandshake.Proof, on channel: any Channel) throws {
        try checkRoom()
        let connection = try frames(
            on: channel, as: .answerer, until: .now() + Self.handshakeTime,
            received: { [weak self] connection, message in
                guard let self else { return connection.cut(nil) }
                self.settled(number)
                self.helloReceived(message, on: connection, number, by: proof.device)
            },
            ended: { [weak self] _ in self?.settled(number) })
        provisional[number] = { connection.cut($0) }
    }

    private func helloReceived(
        _ message: StreamMessage, on connection: FrameConnection<StreamMessage>, _ number: UInt64, by device: DeviceID
    ) {
        do {
            guard case .hello(let hello) = message else { throw Failure(.malformed, "a stream begins with its hello") }
            let ours = ProtocolVersion.stream
            guard
                let version = ProtocolVersion.agreed(
                    ours: ours, theirMinimum: hello.minimumVersion, theirMaximum: hello.maximumVersion)
            else {
                throw Failure(
                    .versionUnsupported,
                    "the other device speaks versions \(hello.minimumVersion) to \(hello.maximumVersion) of streams, "
                        + "this device \(ours.lowerBound) to \(ours.upperBound)")
            }
            guard let streamHandler else { throw Failure(.unimplemented, "no streams here") }
            // It may have been removed since its handshake.
            guard admission(of: device).mayDial(for: .stream) else {
                throw Failure.notAMember(device)
            }
            try checkRoom()
            let answer = ChannelStreamLink.Answer(
                ready: try StreamMessage.ready(version: version).framed(within: .of(.stream, from: .answerer)),
                refusal: { try? StreamMessage.failure($0).framed(within: .of(.stream, from: .answerer)) })
            let rest = connection.release()
            let stream = try take(connection.channel, number, with: device, answer: answer)
            guard rest == nil else { return stream.refuse(.bytesBeforeAnswer) }
            streamHandler.streamOffered(hello, by: device, on: stream)
        } catch {
            let failure = Failure(.internal, explaining: error)
            log.debug("Stream connection refused", metadata: ["device": "\(device.short)", "reason": "\(failure)"])
            connection.send(.failure(failure))
            connection.close()
        }
    }

    // MARK: Dialled

    package func dialStream(
        _ endpoint: PeerEndpoint, expecting device: DeviceID, hello: StreamHello,
        completion: @escaping (Result<any StreamLink, Failure>) -> Void
    ) {
        let deadline = NIODeadline.now() + Self.handshakeTime
        let dial = { [weak self] in
            guard let self, !self.isStopped else {
                completion(.failure(Failure(.cancelled, "the daemon is stopping")))
                self?.streamDials.settled(to: device)?()
                return
            }
            self.dialStreamNow(endpoint, expecting: device, hello: hello, until: deadline, completion: completion)
        }
        streamDials.arrived(dial, to: device)?()
    }

    private func dialStreamNow(
        _ endpoint: PeerEndpoint, expecting device: DeviceID, hello: StreamHello, until deadline: NIODeadline,
        completion: @escaping (Result<any StreamLink, Failure>) -> Void
    ) {
        connect(endpoint, for: .stream, with: secrets(calling: device), until: deadline) {
            [weak self] key throws(Failure) in
            try self?.judgeAnswerer(key, expecting: device)
        } completion: { [weak self] result in
            guard let self else { return completion(.failure(Failure(.cancelled, "the daemon is stopping"))) }
            do {
                try self.ask(hello, of: device, on: try result.get().0, until: deadline, completion: completion)
            } catch {
                completion(.failure(Failure(.connectionUnavailable, explaining: error)))
                (try? result.get())?.0.close(promise: nil)
            }
            self.streamDials.settled(to: device)?()
        }
    }

    private func ask(
        _ hello: StreamHello, of device: DeviceID, on channel: any Channel, until deadline: NIODeadline,
        completion: @escaping (Result<any StreamLink, Failure>) -> Void
    ) throws {
        try checkRoom()
        let number = makeNumber()
        // The peer's bytes, even its end, may arrive with its `ready`.
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        let connection = try frames(
            on: channel, as: .caller, until: deadline,
            received: { [weak self] connection, message in
                self?.provisional[number] = nil
                guard let self else { return connection.cut(nil) }
                completion(self.answered(message, by: device, on: connection, number))
            },
            ended: { [weak self] failure in
                self?.provisional[number] = nil
                completion(
                    .failure(
                        failure
                            ?? Failure(
                                .connectionUnavailable, "the other device closed the connection without answering")))
            })
        provisional[number] = { connection.cut($0) }
        connection.send(.hello(hello))
    }

    private func answered(
        _ message: StreamMessage, by device: DeviceID, on connection: FrameConnection<StreamMessage>, _ number: UInt64
    ) -> Result<any StreamLink, Failure> {
        let held = connection.release()
        do {
            switch message {
            case .ready(let version) where ProtocolVersion.stream.contains(version):
                return .success(try take(connection.channel, number, with: device, answer: nil, held: held))
            case .ready(let version):
                throw Failure(.versionUnsupported, "the other device answered with version \(version) of streams")
            case .failure(let failure): throw failure
            case .hello: throw Failure(.malformed, "a hello is not a valid answer to a hello")
            }
        } catch {
            connection.channel.close(promise: nil)
            return .failure(Failure(.connectionUnavailable, explaining: error))
        }
    }

    // MARK: Both

    private func checkRoom() throws(Failure) {
        guard streams.count < streamsAtOnce else {
            log.warning("Stream connection refused: too many streams", metadata: ["limit": "\(streamsAtOnce)"])
            throw Failure(.limitReached, "\(streamsAtOnce) streams to other devices are already open")
        }
    }

    /// Receives one frame; `received` must then release or close the connection.
    private func frames(
        on channel: any Channel, as own: FrameLimits.Sender, until deadline: NIODeadline,
        received: @escaping (FrameConnection<StreamMessage>, StreamMessage) -> Void,
        ended: @escaping (Failure?) -> Void
    ) throws -> FrameConnection<StreamMessage> {
        weak var waiting: FrameConnection<StreamMessage>?
        let overdue = loop.assumeIsolated().scheduleTask(deadline: deadline) {
            waiting?.cut(Failure(.connectionUnavailable, "no answer within ten seconds"))
        }
        let connection = FrameConnection<StreamMessage>(
            channel: channel, rules: .init(.stream, own: own, lost: .connectionUnavailable), log: log,
            received: { message in
                overdue.cancel()
                if let waiting { received(waiting, message) }
            },
            ended: { failure in
                overdue.cancel()
                ended(failure)
            })
        waiting = connection
        try channel.pipeline.syncOperations.addHandler(connection)
        return connection
    }

    private func take(
        _ channel: any Channel, _ number: UInt64, with device: DeviceID, answer: ChannelStreamLink.Answer?,
        held: ByteBuffer? = nil
    ) throws -> ChannelStreamLink {
        do {
            let stream = try ChannelStreamLink.take(
                channel, party: .device, answer: answer, held: held,
                onMove: { [weak self] in self?.streamMoved(with: device) },
                onClose: { [weak self] in self?.streams[number] = nil })
            streams[number] = stream
            return stream
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }
}
