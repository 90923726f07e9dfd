// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Each job has its own lane, so that a hung file system delays no other.
final class FolderRound<Outcome: Sendable> {
    private var outcomes: [Result<Outcome, Failure>]
    private var left: Int
    private var then: (([Result<Outcome, Failure>]) -> Void)?
    private var alarm: (any Alarm)?

    /// Calls `then` once, on the loop, perhaps before this returns, with the results in order. A job fails with
    /// `.documentGone` after `patience`, or with `.limitReached` if too many jobs wait.
    static func begin(
        _ jobs: [@Sendable () -> Outcome], on work: any Work, patience: Duration, time: any TimeSource,
        then: @escaping ([Result<Outcome, Failure>]) -> Void
    ) {
        FolderRound(count: jobs.count, then: then).begin(jobs, on: work, patience: patience, time: time)
    }

    private init(count: Int, then: @escaping ([Result<Outcome, Failure>]) -> Void) {
        let silence = Failure(.documentGone, "its file system does not respond")
        outcomes = Array(repeating: .failure(silence), count: count)
        left = count
        self.then = then
    }

    private func begin(
        _ jobs: [@Sendable () -> Outcome], on work: any Work, patience: Duration, time: any TimeSource
    ) {
        guard !jobs.isEmpty else { return end() }
        // Keeps this object alive until the end, as the jobs do.
        alarm = time.makeAlarm { self.end() }
        alarm?.set(time.now.advanced(by: patience))
        for (number, job) in jobs.enumerated() {
            do throws(Failure) {
                try work.makeLane().run(job) { self.ended(number, .success($0)) }
            } catch {
                ended(number, .failure(error))
            }
        }
    }

    private func ended(_ number: Int, _ outcome: Result<Outcome, Failure>) {
        guard then != nil else { return }
        outcomes[number] = outcome
        left -= 1
        if left == 0 { end() }
    }

    private func end() {
        alarm?.set(nil)
        alarm = nil
        let then = self.then.take()
        then?(outcomes)
    }
}

/// In jobs of `Work`.
struct FolderLook: Sendable {
    var problem: String?
    var storage: DocumentStorage?

    /// Creates nothing: a mapped disk may be missing, and its mount point must stay empty.
    init(at folder: ContainerFolder, by files: any DocumentFiles) {
        let facts = files.facts(of: folder.path)
        guard let real = facts.realPath else {
            // Use creates an unmapped folder.
            if folder.isMapped { problem = Failure.missingFolder(folder.path).reason }
            return
        }
        do throws(Failure) {
            try Self.check(facts, real, folder)
            storage = try files.storage(of: folder.path, creating: false)
            problem = storage?.readOnly
        } catch {
            problem = error.reason
        }
    }

    private static func check(
        _ facts: FolderFacts, _ real: AbsolutePath, _ folder: ContainerFolder
    ) throws(Failure) {
        guard facts.isFolder else { throw Failure(.notAllowed, "\(folder.path) is not a folder") }
        guard facts.isOwn else { throw Failure(.notAllowed, "\(folder.path) belongs to another user") }
        // Compared byte by byte; apps report real paths.
        guard real == folder.path else {
            throw Failure(
                .notAllowed,
                "\(folder.path) is reached through a link to \(real); run: handoff folder map \(folder.container) '\(real)'"
            )
        }
    }
}

extension ContainerFolder {
    func with(_ look: Result<FolderLook, Failure>) -> ContainerFolder {
        var folder = self
        switch look {
        case .success(let look):
            folder.fileSystem = look.storage?.name
            folder.isSharedStorage = look.storage?.isShared ?? false
            folder.add(look.problem)
        case .failure(let failure): folder.add(failure.reason)
        }
        return folder
    }

    private mutating func add(_ problem: String?) {
        let all = [problem, self.problem].compactMap(\.self)
        self.problem = all.isEmpty ? nil : all.joined(separator: "; ")
    }
}
