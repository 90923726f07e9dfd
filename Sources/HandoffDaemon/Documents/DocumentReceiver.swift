// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// Off the loop. While the disk is busy, it holds at most `held` bytes and the other device waits.
final class DocumentReceiver {
    /// Not yet on the disk, in bytes.
    static let held = 2 * Limits.documentDataBytes

    struct Received {
        let arrival: any DocumentArrival
        let head: DocumentHead
        let hash: FileDigest
    }

    struct Missed: Error {
        let failure: Failure
        /// Arrived now or earlier.
        let left: (any DocumentArrival)?
    }

    private let end: DaemonStreamEnd
    private let place: DocumentLocation
    private let basis: [DocumentLocation]
    private let left: (any DocumentArrival)?
    private let files: any DocumentFiles
    private let lane: any WorkLane
    /// Never cancelled, because its results must not be released on the loop.
    private let lasting: any WorkLane
    private let time: any TimeSource
    private var machine: DocumentReceiverStateMachine
    private var reader = DocumentStreamReader()
    private var arrival: (any DocumentArrival)?
    private var alarm: (any Alarm)?
    private var waiting: [UInt8] = []
    private var isWriting = false
    private var outgoing: [UInt8] = []
    private var last: (head: DocumentHead, hash: FileDigest)?
    private var completion: ((Result<Received, Missed>) -> Void)?

    /// Over the network.
    private(set) var received: UInt64 = 0
    /// Over the network; nil if not yet known.
    private(set) var expected: UInt64?

    /// Calls `completion` once, on the loop, never before this returns.
    init(
        _ form: DocumentForm, size: UInt64, to place: DocumentLocation, basis: [DocumentLocation],
        left: (any DocumentArrival)?,
        on end: DaemonStreamEnd, files: any DocumentFiles, work: any Work, time: any TimeSource,
        limits: DocumentLimits, completion: @escaping (Result<Received, Missed>) -> Void
    ) {
        self.end = end
        self.place = place
        self.basis = basis
        self.left = left
        self.files = files
        self.time = time
        self.completion = completion
        lane = work.makeLane()
        lasting = work.makeLane()
        machine = DocumentReceiverStateMachine(form, limits: limits, at: time.now)
        end.user = self
        alarm = time.makeAlarm { [weak self] in self?.deadlineReached() }
        carryOut(machine.begin())
        guard form == .chunks, left == nil else { return }
        // While the other device makes its list. A failure only costs time later.
        lasting.attempt(
            { [files] () throws(Failure) in files.prepare(basis, for: size) }, failed: { _ in }, then: {})
    }

    var silence: Duration { machine.silence(at: time.now) }

    func notOpened(_ failure: Failure) { carryOut(machine.lost(failure)) }

    func cancel(_ failure: Failure) { carryOut(machine.failed(failure)) }

    private func carryOut(_ action: DocumentReceiverStateMachine.Action) {
        switch action {
        case .say(let message): say(message)
        case .begin(let content, _): begin(content)
        case .append(let bytes):
            received += UInt64(bytes.count)
            waiting += bytes
            write()
        case .finish(let head, let hash):
            last = (head, hash)
            finishIfWritten()
        case .fail(let failure, let says):
            if says { say(.failure(failure)) }
            end.finish()
            end.cut(failure)
            let begun = arrival.take()
            if let begun { suspend(begun) }
            complete(.failure(Missed(failure: failure, left: begun ?? left)))
        case .nothing: break
        }
        alarm?.set(machine.nextDeadline)
    }

    private func deadlineReached() { carryOut(machine.deadlineReached(at: time.now)) }

    private func complete(_ result: Result<Received, Missed>) {
        lane.cancel()
        alarm?.set(nil)
        guard let completion = completion.take() else { return }
        time.soon { completion(result) }
    }

    private func suspend(_ arrival: any DocumentArrival) {
        lasting.attempt(
            { () throws(Failure) in
                do throws(Failure) { try arrival.suspend() } catch { arrival.discard() }
            }, failed: { _ in }, then: {})
    }

    private func discard(_ arrival: any DocumentArrival) {
        lasting.attempt({ () throws(Failure) in arrival.discard() }, failed: { _ in }, then: {})
    }

    // MARK: The disk

    private func begin(_ content: DescribedContent) {
        lasting.attempt(
            { [files, place, basis, left] () throws(Failure) in
                try files.begin(try content.read(), for: place, basis: basis, left: left)
            },
            failed: { [weak self] in self?.failed($0) },
            then: { [self] (arrival: any DocumentArrival) in
                guard completion != nil else { return discard(arrival) }
                self.arrival = arrival
                expected = arrival.expected
                carryOut(machine.ready(expected: arrival.expected, wish: arrival.wish, at: time.now))
                take()
            })
    }

    private func write() {
        guard !isWriting, !waiting.isEmpty, let arrival else { return }
        isWriting = true
        let bytes = waiting
        waiting = []
        job({ () throws(Failure) in try arrival.append(bytes) }) { [self] in
            isWriting = false
            write()
            take()
            finishIfWritten()
        }
    }

    private func finishIfWritten() {
        guard let last, !isWriting, waiting.isEmpty, let arrival else { return }
        self.last = nil
        job({ () throws(Failure) in
            let hash = try arrival.hash()
            guard hash == last.hash else {
                throw Failure(
                    .malformed, "the document that arrived differs from the description that the other device sent")
            }
            return hash
        }) { [self] hash in
            end.finish()
            self.arrival = nil
            complete(.success(Received(arrival: arrival, head: last.head, hash: hash)))
        }
    }

    /// Keeps this object until the job's end, so that its arrival is not dropped on the loop.
    private func job<Value: Sendable>(
        _ body: @escaping @Sendable () throws(Failure) -> Value, then: @escaping (Value) -> Void
    ) {
        lane.attempt(body, failed: { [self] in failed($0) }, then: then)
    }

    private func failed(_ failure: Failure) {
        guard machine.hasEnded else { return carryOut(machine.failed(failure)) }
        if let arrival = arrival.take() { discard(arrival) }
        complete(.failure(Missed(failure: failure, left: nil)))
    }

    // MARK: The stream

    private func say(_ message: DocumentMessage) {
        // The list bounds the selection's size.
        if let bytes = try? message.framed() { outgoing += bytes }
        send()
    }

    private func send() {
        guard !outgoing.isEmpty else { return }
        outgoing.removeFirst(end.send(outgoing))
    }

    private func take() {
        while machine.isReading, waiting.count < Self.held {
            do throws(WireError) {
                while machine.isReading, waiting.count < Self.held, let piece = try reader.next() {
                    carryOut(machine.came(piece, at: time.now))
                }
            } catch {
                return carryOut(machine.failed(Failure(.malformed, error.reason)))
            }
            guard machine.isReading, waiting.count < Self.held else { break }
            let bytes = end.take(StreamBudget.largestPiece)
            guard !bytes.isEmpty else { break }
            reader.append(bytes)
        }
        // Reads the rest once the disk has caught up.
        if waiting.count < Self.held, end.isAtEnd, machine.isReading { carryOut(machine.lost(nil)) }
    }
}

extension DocumentReceiver: DaemonStreamUser {
    func streamHasRoom(_ end: DaemonStreamEnd) { send() }
    func streamHasBytes(_ end: DaemonStreamEnd) { take() }

    func streamClosed(_ end: DaemonStreamEnd, inOrder: Bool) {
        take()
        if !machine.hasEnded, !end.hasEnded { carryOut(machine.lost(end.failure)) }
    }
}

extension Result<DocumentReceiver.Received, DocumentReceiver.Missed> {
    var arrival: (any DocumentArrival)? {
        switch self {
        case .success(let arrived): arrived.arrival
        case .failure(let missed): missed.left
        }
    }
}
