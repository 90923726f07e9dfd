// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import NIOCore
internal import NIOPosix

/// The two directions of a stream end each by itself. One that ended in order stays so, whatever becomes of the other.
extension ChannelStreamLink {
    /// What a link's other end sends, and what became of it.
    enum Inflow {
        /// Can transition to: ended, lost.
        case open
        /// All of it was written to the partner; nobody has said that it was meant. Can transition to: confirmed, lost.
        case ended
        /// The partner's writing side is being shut. Can transition to: shut, lost.
        case confirmed
        /// The end, and all before it, is with the kernel. It stays.
        case shut
        /// Nobody takes it. It stays.
        case lost

        var isSettled: Bool { self == .shut || self == .lost }
    }

    /// The other end has shut its writing side, or said goodbye.
    func inputEnded() {
        guard inflow == .open else { return }
        inflow = .ended
        tell { $0.streamBytesEnded(on: $1, after: $1.byteCount) }
    }

    func confirmEnd() {
        guard case .joined(let partner) = phase, inflow == .ended else { return }
        inflow = .confirmed
        guard !partner.isGone, let context = partner.context else { return inputShut() }
        let shut = channel.eventLoop.makePromise(of: Void.self)
        shut.futureResult.assumeIsolated().whenComplete { [self] result in
            // An app that has left wants no more of it; a device that has left lacks it.
            if case .failure(let error) = result, partner.side == .device {
                lose(Failure(.streamCut, explaining: error))
            } else {
                inputShut()
            }
        }
        context.close(mode: .output, promise: shut)
    }

    private func inputShut() {
        guard inflow == .confirmed else { return }
        inflow = .shut
        settle()
    }

    /// What comes from here goes nowhere any more.
    func lose(_ failure: Failure) {
        guard !inflow.isSettled else { return }
        let wasOpen = inflow == .open
        inflow = .lost
        if self.failure == nil { self.failure = failure }
        // Its writes fail from now on. TCP has no such word: there, it waits until all of ours is delivered.
        if wasOpen, side == .app { close(.input) }
        settle()
    }

    /// The connection is broken.
    func failed(_ failure: Failure) {
        if self.failure == nil { self.failure = failure }
        switch phase {
        case .waiting: cut(failure)
        case .joined where inflow == .open: cut(failure)
        // Its bytes had come in order: they go on to where they are meant for.
        case .joined, .over: floor.cut()
        case .refused: break
        }
    }

    /// The channel is closed, and both directions are not settled.
    func left(_ partner: ChannelStreamLink) {
        if inflow == .open {
            // We had shut our side, so the end of its bytes closed the channel. Whether that end was meant is not known
            // of an app in any case.
            guard side == .app, failure == nil, partner.inflow == .shut else {
                return cut(failure ?? Failure(.streamCut, "the connection ended"))
            }
            inputEnded()
        }
        switch side {
        case .device: partner.lose(failure ?? Failure(.streamCut, "the connection ended"))
        // What it has not taken it does not want, unless more comes.
        case .app: partner.resumeReading()
        }
    }

    private func settle() {
        guard case .joined(let partner) = phase, inflow.isSettled, partner.inflow.isSettled else { return }
        let isLost = inflow == .lost || partner.inflow == .lost
        let failure = isLost ? self.failure ?? partner.failure ?? Failure(.streamCut, "the stream was cut") : nil
        for link in [self, partner] { link.finish(failure) }
        self.leave(isWritten: partner.inflow == .shut, isRead: inflow == .shut)
        partner.leave(isWritten: inflow == .shut, isRead: partner.inflow == .shut)
    }

    /// `isWritten`: the end of what we write there is with the kernel. `isRead`: its own bytes have ended, too.
    private func leave(isWritten: Bool, isRead: Bool) {
        switch (isWritten, isRead) {
        case (false, _): floor.cut()
        case (true, true): close(.all)
        // A reset overtakes what is under way: not before all of it is delivered.
        case (true, false): side == .device ? beat() : close(.all)
        }
    }

    /// For the same reason as `StreamFloor.cut`, not within what the other channel is doing.
    private func close(_ mode: CloseMode) {
        channel.eventLoop.assumeIsolated().execute { [self] in context?.close(mode: mode, promise: nil) }
    }

    // MARK: The pulse

    func scheduleBeat() {
        nextBeat = channel.eventLoop.assumeIsolated().scheduleTask(in: StreamPulse.interval) { [weak self] in
            self?.beat()
        }
    }

    private func beat() {
        guard !isGone else { return }
        nextBeat?.cancel()
        let state = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            TCPState(socket: $0)
        }
        guard let state = state ?? nil else { return }
        if case .over = phase, state.isDelivered { return floor.cut() }
        guard pulse.beat(state, at: .now(), isReading: !isReadHeld) else {
            return failed(Failure(.streamCut, "the other device does not answer"))
        }
        scheduleBeat()
    }
}
