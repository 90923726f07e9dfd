// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
internal import HandoffSystem
package import HandoffWire

/// Starts at the first request and ends when idle. docs/decisions/0073.
package final class IndexProgram: ActivityIndex {
    package static let name = "handoff-history"
    /// A merge of 100,000 entries takes a second; a disk may be slow.
    static let patience: Duration = .seconds(20)

    private let program: String
    private let file: String
    private let patience: Duration
    private let note: @Sendable (String) -> Void
    private let process = Lock<IndexProcess?>(nil)

    /// `note`: for the log, from any thread.
    package convenience init(
        besides executable: String, file: String, note: @escaping @Sendable (String) -> Void
    ) {
        self.init(
            path: CompanionProgram(Self.name, besides: executable).path, file: file, patience: Self.patience, note: note
        )
    }

    init(path: String, file: String, patience: Duration, note: @escaping @Sendable (String) -> Void) {
        program = path
        self.file = file
        self.patience = patience
        self.note = note
    }

    @discardableResult
    package func keep(_ entry: HistoryEntry, usedAt now: WallTime) throws(Failure) -> Bool {
        try count(of: .keep(entry, used: now)) > 0
    }

    package func remove(_ removal: HistoryRemoval) throws(Failure) -> Int { try count(of: .remove(removal)) }

    package func change(
        _ changes: [HistoryChange], by app: BundleID, state: HistoryClientState?, at now: WallTime
    ) throws(Failure) {
        try count(of: .change(changes, by: app, state, now: now))
    }

    package func clientState(of app: BundleID, index: String) throws(Failure) -> [UInt8] {
        guard case .clientState(let state) = try answer(to: .clientState(of: app, index: index)) else {
            throw .oddAnswer
        }
        return state
    }

    package func found(by query: HistoryQuery, limit: Int, at now: WallTime) throws(Failure) -> [HistoryMatch] {
        try matches(of: .find(query.phrases, limit: limit, now: now))
    }

    package func entry(_ number: HistoryNumber) throws(Failure) -> HistoryEntry? {
        try matches(of: .lookUp(number)).first?.entry
    }

    package func removeExpired(at now: WallTime, unusedFor: Duration) throws(Failure) -> Int {
        try count(of: .expire(now: now, unusedFor: unusedFor))
    }

    package func add(_ transfer: ActivityTransfer) throws(Failure) { try count(of: .addTransfer(transfer)) }

    package func transfers() throws(Failure) -> [ActivityTransfer] {
        guard case .transfers(let transfers) = try answer(to: .transfers) else { throw .oddAnswer }
        return transfers
    }

    package var hasUnfinishedWork: Bool { access(file + "-wal", F_OK) == 0 }

    @discardableResult
    private func count(of request: IndexRequest) throws(Failure) -> Int {
        guard case .done(let count) = try answer(to: request) else { throw .oddAnswer }
        return count
    }

    private func matches(of request: IndexRequest) throws(Failure) -> [HistoryMatch] {
        guard case .found(let matches) = try answer(to: request) else { throw .oddAnswer }
        return matches
    }

    private func answer(to request: IndexRequest) throws(Failure) -> IndexAnswer.Content {
        let bytes: [UInt8]
        do throws(WireError) {
            bytes = try FrameHeader.framed(try request.encoded(), limit: IndexLimits.requestBytes)
        } catch {
            throw Failure(.limitReached, "an entry of the history is too large")
        }
        let answer = try process.withLock { process throws(Failure) in
            let deadline = ContinuousClock.now + patience
            // It may have ended because it was idle.
            if let frame = process?.answer(to: bytes, until: deadline) { return try Self.read(frame) }
            process = try start()
            if let frame = process?.answer(to: bytes, until: deadline) { return try Self.read(frame) }
            process = nil
            throw Failure(.stateNotWritable, "\(Self.name) did not answer")
        }
        if let notice = answer.notice { note(notice) }
        if case .failure(let reason) = answer.content { throw Failure(.stateNotWritable, reason) }
        return answer.content
    }

    private func start() throws(Failure) -> IndexProcess {
        do throws(SystemError) { return try IndexProcess.start(program, file: file) } catch {
            throw Failure(.stateNotWritable, "\(program) cannot be started: \(error.reason)")
        }
    }

    private static func read(_ frame: [UInt8]) throws(Failure) -> IndexAnswer {
        do throws(WireError) { return try IndexAnswer(encoded: frame) } catch {
            throw Failure(.stateNotWritable, "\(name): \(error.reason)")
        }
    }
}

private struct IndexProcess: ~Copyable {
    private static let waiterStackBytes = 64 * 1024

    private let input: ProgramPipe
    private let output: ProgramPipe

    static func start(_ program: String, file: String) throws(SystemError) -> IndexProcess {
        let (input, output) = (try ProgramPipe(), try ProgramPipe())
        let process = try SpawnedProcess(
            executable: program, arguments: [program, file], environment: [:], directory: "/", input: input.reading,
            output: output.writing, errors: nil)
        input.closeReading()
        output.closeWriting()
        // It ends when its input is closed, or when it is idle. Without a thread it remains a zombie.
        _ = DetachedThread.begin(stackBytes: Self.waiterStackBytes) { _ = process.waitForStatus() }
        return IndexProcess(input: input, output: output)
    }

    /// Nil: it has ended, or does not answer.
    func answer(to frame: [UInt8], until deadline: ContinuousClock.Instant) -> [UInt8]? {
        guard input.write(frame, until: deadline),
            let head = output.read(FrameHeader.byteCount, until: deadline),
            let count = try? FrameHeader.length(head, limit: IndexLimits.answerBytes)
        else { return nil }
        return output.read(count, until: deadline)
    }
}

extension Failure {
    fileprivate static let oddAnswer = Failure(.stateNotWritable, "\(IndexProgram.name) sent another kind of answer")
}
