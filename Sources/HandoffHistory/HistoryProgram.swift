// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// Runs until its input ends, or it is idle.
package struct HistoryProgram: ~Copyable {
    /// The daemon starts it again when it is needed.
    private static let idle: Duration = .seconds(60)
    /// Deleted words leave the file after this pause. With the merge of 100,000 entries, within five seconds.
    private static let calm: Duration = .seconds(2)

    private let path: String
    private var index: SQLiteActivityIndex?
    /// When deleted words leave the file.
    private var compaction: ContinuousClock.Instant?
    /// When the journal is emptied, if nothing was asked until then.
    private var checkpoint: ContinuousClock.Instant?

    /// `arguments`: the file of the index.
    package static func run(_ arguments: [String]) -> CInt {
        guard arguments.count == 1 else {
            let text = "usage: handoff-history FILE\nhandoffd starts it; use: handoff history\n"
            _ = write(STDERR_FILENO, text, text.utf8.count)
            return EX_USAGE
        }
        // The end of the input shows that the daemon has stopped; pending work is completed.
        for signal in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { Glibc.signal(signal, SIG_IGN) }
        var program = HistoryProgram(path: arguments[0])
        return program.serve()
    }

    private init(path: String) { self.path = path }

    private mutating func serve() -> CInt {
        let idle = { ContinuousClock.now + Self.idle }
        var end = idle()
        resume()
        while true {
            // Requests without a pause must not delay a deletion.
            if isDue(compaction) { compact() }
            let next = [compaction, checkpoint, end].compactMap(\.self).min() ?? end
            guard FrameStream.waitForInput(until: next) else {
                if ContinuousClock.now >= end { return close() }
                if isDue(checkpoint) { emptyJournal() }
                continue
            }
            guard let frame = FrameStream.read(limit: IndexLimits.requestBytes) else { return close() }
            let answer = answer(frame)
            guard let bytes = try? answer.encoded(), FrameStream.write(bytes) else { return close() }
            end = idle()
            if checkpoint != nil { checkpoint = .now + Self.calm }
        }
    }

    private func isDue(_ time: ContinuousClock.Instant?) -> Bool { time.map { $0 <= .now } ?? false }

    private mutating func close() -> CInt {
        if compaction != nil || index?.hasUnfinishedWork == true { compact() }
        index?.close()
        return EXIT_SUCCESS
    }

    /// After a crash.
    private mutating func resume() {
        guard hasFile, let index = try? opened(), index.hasUnfinishedWork else { return }
        compaction = .now
    }

    private mutating func emptyJournal() {
        checkpoint = nil
        // It is emptied at the end, too.
        try? index?.emptyJournal()
    }

    private mutating func compact() {
        (compaction, checkpoint) = (nil, nil)
        do throws(Failure) { try index?.compact() } catch {
            // Another process may read, or the disk may be full.
            compaction = .now + Self.calm
        }
    }

    private mutating func answer(_ frame: [UInt8]) -> IndexAnswer {
        var answer: IndexAnswer
        do {
            answer = IndexAnswer(try carryOut(try IndexRequest(encoded: frame)))
        } catch let failure as Failure {
            answer = IndexAnswer(.failure(failure.reason))
        } catch {
            answer = IndexAnswer(.failure("\(error)"))
        }
        answer.notice = index?.takeNotice()
        return answer
    }

    private var hasFile: Bool { access(path, F_OK) == 0 }

    private mutating func carryOut(_ request: IndexRequest) throws -> IndexAnswer.Content {
        // A search must not create a history.
        if !hasFile {
            // The file was removed.
            index?.close()
            index = nil
            switch request {
            case .keep, .change, .addTransfer: break
            case .remove(.everything): HistoryDatabase.removeDamaged(path)
            case .remove, .expire: return .done(0)
            case .find, .lookUp: return .found([])
            case .clientState: return .clientState([])
            case .transfers: return .transfers([])
            }
        }
        let index = try opened()
        switch request {
        case .keep(let entry, let used):
            checkpoint = .now
            return .done(try index.keep(entry, usedAt: used) ? 1 : 0)
        case .remove(let removal):
            let count = try index.remove(removal)
            deleted(from: index)
            return .done(count)
        case .find(let phrases, let limit, let now):
            return .found(try index.found(by: HistoryQuery(phrases: phrases), limit: limit, at: now))
        case .lookUp(let number): return .found(try index.match(number).map { [$0] } ?? [])
        case .change(let changes, let app, let state, let now):
            try index.change(changes, by: app, state: state, at: now)
            checkpoint = .now
            if changes.contains(where: { if case .remove = $0 { true } else { false } }) { deleted(from: index) }
            return .done(0)
        case .clientState(let app, let name): return .clientState(try index.clientState(of: app, index: name))
        case .addTransfer(let transfer):
            checkpoint = .now
            try index.add(transfer)
            return .done(1)
        case .transfers: return .transfers(try index.transfers())
        case .expire(let now, let unusedFor):
            let count = try index.removeExpired(at: now, unusedFor: unusedFor)
            deleted(from: index)
            return .done(count)
        }
    }

    /// The first of several deletions decides, so that none waits for the others.
    private mutating func deleted(from index: SQLiteActivityIndex) {
        if index.hasUnfinishedWork { compaction = compaction ?? .now + Self.calm }
    }

    private mutating func opened() throws(Failure) -> SQLiteActivityIndex {
        if let index { return index }
        let opened = try SQLiteActivityIndex(path: path)
        index = opened
        return opened
    }
}
