// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// Examines, off the loop, the files that a state names. Without a hash in time, a file is sent without it.
final class DocumentPreparation {
    private let wanted: [UInt32: NamedDocument]
    private let files: any DocumentFiles
    private let histories: any DocumentHistories
    private let lane: any WorkLane
    private let time: any TimeSource
    private let limits: DocumentLimits
    private var references: [UInt32: DocumentReference] = [:]
    private var left: Int
    private var alarm: (any Alarm)?
    private var then: (([DocumentReference]) -> Void)?

    init(
        _ wanted: [UInt32: NamedDocument], files: any DocumentFiles, histories: any DocumentHistories, work: any Work,
        time: any TimeSource, limits: DocumentLimits
    ) {
        self.wanted = wanted
        self.files = files
        self.histories = histories
        self.time = time
        self.limits = limits
        lane = work.makeLane()
        left = wanted.count
    }

    /// Calls `then` once, with the documents that can be sent, by index.
    func begin(_ then: @escaping ([DocumentReference]) -> Void) {
        self.then = then
        alarm = time.makeAlarm { [weak self] in self?.end() }
        alarm?.set(time.now.advanced(by: limits.prepare))
        for (index, document) in wanted.sorted(by: { $0.key < $1.key }) { look(index, document, hashing: 0) }
        for (index, document) in wanted.sorted(by: { $0.key < $1.key }) {
            look(index, document, hashing: limits.hashedBefore, isLast: true)
        }
    }

    private func look(_ index: UInt32, _ document: NamedDocument, hashing: UInt64, isLast: Bool = false) {
        let wall = time.wallTime
        lane.attempt(
            { [files, histories] () throws(Failure) in
                try Self.reference(
                    index, document, hashing: hashing, files: files, histories: histories, at: wall)
            },
            failed: { [weak self] _ in self?.looked(index, nil, isLast) },
            then: { [weak self] in self?.looked(index, $0, isLast) })
    }

    private static func reference(
        _ index: UInt32, _ document: NamedDocument, hashing: UInt64, files: any DocumentFiles,
        histories: any DocumentHistories, at now: WallTime
    ) throws(Failure) -> DocumentReference? {
        let sight = try files.look(at: document.location, asPackage: document.isPackage, hashing: hashing)
        guard case .found(let found) = sight else { return nil }
        var place = document.place
        var known: [FileDigest] = []
        switch (document.located, found.path) {
        case (let located?, let path?):
            place = .container(located.container, path)
            known = try histories.note(found.hash, of: found, at: path, in: located.container, now: now)
                .hashes(before: found.hash)
        // This folder has no counterpart on another device.
        case (nil, _) where found.kind == .folder: return nil
        default: break
        }
        return DocumentReference(
            index: index, place: place, kind: found.kind, size: found.version.size, modified: found.version.modified,
            mode: found.version.mode, hash: found.hash, known: known)
    }

    private func looked(_ index: UInt32, _ reference: DocumentReference?, _ isLast: Bool) {
        if let reference { references[index] = reference }
        guard isLast else { return }
        left -= 1
        if left == 0 { end() }
    }

    private func end() {
        lane.cancel()
        alarm?.set(nil)
        let then = then.take()
        then?(references.values.sorted { $0.index < $1.index })
    }
}
