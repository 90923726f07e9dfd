// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import NIOCore
internal import NIOPosix

extension ChannelStreamLink {
    var now: Instant { Instant(sinceZero: .nanoseconds(Int64(NIODeadline.now().uptimeNanoseconds))) }

    func sayReady() {
        guard let answer else { return }
        context?.writeAndFlush(wrapOutboundOut(answer.ready), promise: nil)
    }

    func sayNo(_ failure: Failure) {
        guard let context, let words = answer?.refusal(failure) else { return floor.cut() }
        context.writeAndFlush(wrapOutboundOut(words), promise: nil)
        context.close(promise: nil)
    }

    // MARK: Bytes

    func read() { context?.read() }

    func write(_ piece: any StreamPiece) {
        guard let context else { return }
        let bytes = piece as? ByteBuffer ?? ByteBuffer(bytes: piece.bytes)
        let count = bytes.readableBytes
        let gone = channel.eventLoop.makePromise(of: Void.self)
        gone.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.written(count) }
        context.write(wrapOutboundOut(bytes), promise: gone)
    }

    func flush() { context?.flush() }

    /// The budget decides the size of a read. Each turn reads once, so all streams get a turn.
    func share(_ budget: StreamBudget) {
        let pieces = StreamPieces(budget: NIOLoopBound(budget, eventLoop: channel.eventLoop))
        try? channel.syncOptions?.setOption(.recvAllocator, value: pieces)
        try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    }

    // MARK: Ends

    func shutWriting() {
        guard let context else { return writingShut(nil) }
        floor.leavesClosing = hasInputEnded
        let shut = channel.eventLoop.makePromise(of: Void.self)
        shut.futureResult.assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success: writingShut(nil)
            case .failure(let error): writingShut(Failure(.streamCut, explaining: error))
            }
        }
        context.close(mode: .output, promise: shut)
    }

    func shutReading() { close(.input) }
    func close() { close(.all) }

    /// Later: see `StreamFloor.cut`.
    private func close(_ mode: CloseMode) { later { [self] in context?.close(mode: mode, promise: nil) } }

    func closeDelivered() {
        isLeaving = true
        beat()
    }

    func cut() { floor.cut() }

    // MARK: Time

    func later(_ work: @escaping () -> Void) { channel.eventLoop.assumeIsolated().execute(work) }

    func wake(at instant: Instant?) {
        alarm?.cancel()
        alarm = instant.map { instant in
            let wait = TimeAmount(now.duration(to: instant))
            return channel.eventLoop.assumeIsolated().scheduleTask(in: wait) { [weak self] in
                guard let self else { return }
                deadlineReached()
            }
        }
    }

    func watch() {
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
        if isLeaving, state.isDelivered { return floor.cut() }
        guard pulse.beat(state, at: .now(), isReading: !isHeldBack) else {
            return broke(Failure(.streamCut, "the other device does not answer"))
        }
        if pulse.hasMoved { onMove() }
        watch()
    }
}

private struct StreamPieces: RecvByteBufferAllocator {
    let budget: NIOLoopBound<StreamBudget>

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer { allocator.buffer(capacity: budget.value.piece) }
    func nextBufferSize() -> Int? { budget.value.piece }
    func record(actualReadBytes: Int) -> Bool { false }
}
