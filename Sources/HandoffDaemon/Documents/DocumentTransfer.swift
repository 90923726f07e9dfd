// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

struct DocumentAdapters {
    let files: any DocumentFiles
    let histories: any DocumentHistories
    let containers: ContainersService
    let streams: StreamsService
    let apps: DocumentPresenters
    let work: any Work
    let time: any TimeSource
    let limits: DocumentLimits
    let ownName: () -> DisplayText
    /// Offset from UTC at that time, in seconds; positive is east.
    let zone: (WallTime) -> Int

    /// Off the loop: a large arrival must be removed from the disk.
    func discard(_ arrival: (any DocumentArrival)?) {
        guard let arrival else { return }
        work.makeLane().attempt({ () throws(Failure) in arrival.discard() }, failed: { _ in }, then: {})
    }
}

final class DocumentTransfer {
    private struct Request {
        let form: DocumentForm
        let place: DocumentLocation
        let basis: [DocumentLocation]
    }

    private enum Content {
        /// `left`: arrived earlier. `waitsForApp`: the app accepts the document without its content.
        case missing(left: (any DocumentArrival)?, waitsForApp: Bool)
        /// The app has the URL, and has not requested the content.
        case promised(Request, left: (any DocumentArrival)?)
        case arriving(DocumentReceiver)
        case arrived(DocumentReceiver.Received)
        case placed(conflictCopy: AbsolutePath?)
        case ended
    }

    let reference: DocumentReference
    private let wishes: DocumentWishes
    private let adapters: DocumentAdapters
    private let version: VersionID
    private let lane: any WorkLane
    private var rate: TransferRate
    private var content: Content
    private var machine: DocumentTransferStateMachine?
    private var alarm: (any Alarm)?
    /// Once. After a failure, also with the partial arrival.
    private var done: ((Result<DeliveredDocument, Failure>, (any DocumentArrival)?) -> Void)?

    /// `version`: for the replaced version. `rate`: recent bytes per second; nil: unknown.
    init(
        _ reference: DocumentReference, _ wishes: DocumentWishes, adapters: DocumentAdapters, version: VersionID,
        rate: UInt64?, left: (any DocumentArrival)?, waitsForApp: Bool
    ) {
        self.reference = reference
        self.wishes = wishes
        self.adapters = adapters
        self.version = version
        self.rate = TransferRate(lately: rate)
        content = .missing(left: left, waitsForApp: waitsForApp)
        lane = adapters.work.makeLane()
    }

    func begin(done: @escaping (Result<DeliveredDocument, Failure>, (any DocumentArrival)?) -> Void) {
        self.done = done
        alarm = adapters.time.makeAlarm { [weak self] in self?.deadlineReached() }
        switch reference.place {
        case .outside: start(.copy(reason: "It is not in a folder that both devices share."))
        case .container(let container, let path):
            guard let app = wishes.app else {
                return start(.copy(reason: "It is for a program that has no containers."))
            }
            switch adapters.containers.folder(of: container, for: app) {
            case .failure(let failure): start(.copy(reason: failure.reason))
            case .success(let folder): start(container, path, in: folder)
            }
        }
    }

    private func start(_ container: ContainerID, _ path: DocumentPath, in folder: AbsolutePath) {
        let creates = !adapters.containers.isMapped(container)
        lane.attempt(
            { [files = adapters.files, histories = adapters.histories] () throws(Failure) in
                (try files.storage(of: folder, creating: creates), try histories.history(of: container, at: path))
            },
            failed: { [weak self] failure in
                guard let self else { return }
                start(.copy(reason: failure.reason))
            },
            then: { [weak self] (storage: DocumentStorage, history: DocumentHistory?) in
                self?.start(.container(container, folder: folder, storage: storage, history: history))
            })
    }

    private func start(_ target: DocumentTransferStateMachine.Target) {
        machine = DocumentTransferStateMachine(
            reference: reference, target: target, continuation: wishes.continuation, rate: rate.bytesPerSecond,
            limits: adapters.limits)
        feed { $0.begin(at: $1) }
    }

    private func feed(
        _ event: (inout DocumentTransferStateMachine, Instant) -> DocumentTransferStateMachine.Action
    ) {
        guard machine != nil else { return }
        let action = event(&machine!, adapters.time.now)
        alarm?.set(machine?.nextDeadline)
        carryOut(action)
    }

    private func deadlineReached() { feed { $0.deadlineReached(at: $1) } }

    func cancel() {
        guard machine != nil else { return end(.failure(.documentNotWanted)) }
        feed { machine, _ in machine.cancelled() }
    }

    private func carryOut(_ action: DocumentTransferStateMachine.Action) {
        switch action {
        case .look(let place, let asPackage, let hashing): look(place, asPackage, hashing)
        case .find(let file, let size, let hash, let folder):
            lane.attempt(
                { [files = adapters.files] () throws(Failure) in
                    try files.find(file, size: size, hash: hash, in: folder)
                },
                failed: { [weak self] failure in self?.feed { $0.searched(.failure(failure), at: $1) } },
                then: { [weak self] path in self?.feed { $0.searched(.success(path), at: $1) } })
        case .askApps(let path):
            adapters.apps.letGo(path, for: wishes.deviceName, deadline: adapters.limits.save) { [weak self] isSaved in
                self?.feed { $0.appsLetGo(isSaved: isSaved, at: $1) }
            }
        case .fetch(let form, let place, let basis): fetchOrWait(Request(form: form, place: place, basis: basis))
        case .place(let place, let replaces, let keepsCopy):
            put(keepsCopy ? .overKept : .at, place, replaces)
        case .placeExactly(let place): put(.exactly, place, nil)
        case .placeBeside(let place): put(.beside, place, nil)
        case .wait: break
        case .finish(let finished): finish(finished)
        case .fail(let failure): end(.failure(failure))
        case .nothing: break
        }
    }

    // MARK: The local document

    private func look(_ place: DocumentLocation, _ asPackage: Bool, _ hashing: UInt64) {
        let wall = adapters.time.wallTime
        lane.attempt(
            { [files = adapters.files, histories = adapters.histories, reference] () throws(Failure) in
                var sight = try files.look(at: place, asPackage: asPackage, hashing: hashing)
                if case .found(var found) = sight {
                    found.hold = files.hold(at: place, asPackage: asPackage)
                    sight = .found(found)
                }
                try Self.note(sight, of: reference, histories, at: wall)
                return sight
            },
            failed: { [weak self] failure in self?.feed { $0.looked(.failure(failure), at: $1) } },
            then: { [weak self] sight in self?.feed { $0.looked(.success(sight), at: $1) } })
    }

    /// Records the local content under its name here and the origin's name, which may be spelled differently or precede
    /// a renaming.
    private static func note(
        _ sight: DocumentSnapshot, of reference: DocumentReference, _ histories: any DocumentHistories, at now: WallTime
    ) throws(Failure) {
        guard case .container(let container, let named) = reference.place, case .found(let found) = sight,
            let path = found.path, let hash = found.hash
        else { return }
        for path in path == named ? [path] : [path, named] {
            try histories.note(hash, of: found, at: path, in: container, now: now)
        }
    }

    // MARK: The bytes

    private func fetchOrWait(_ request: Request) {
        guard case .missing(let left, let waitsForApp) = content else { return end(.failure(.notArrived)) }
        guard waitsForApp, case .container(let folder, let path) = request.place,
            let absolute = try? folder.appending(path)
        else { return fetch(request, left) }
        content = .promised(request, left: left)
        let document = DeliveredDocument(
            url: FileURL(absolute, namesFolder: reference.kind != .file).text, fate: .pending, path: absolute)
        let done = done.take()
        done?(.success(document), nil)
    }

    var isWaitingForApp: Bool { if case .promised = content { true } else { false } }

    func resume(done: @escaping (Result<DeliveredDocument, Failure>, (any DocumentArrival)?) -> Void) {
        guard case .promised(let request, let left) = content else { return }
        self.done = done
        fetch(request, left)
    }

    private func fetch(_ request: Request, _ left: (any DocumentArrival)?) {
        rate.begin(at: adapters.time.now)
        var isOpen = true
        let end = adapters.streams.open(wishes.pass(reference.index)) { [weak self] failure in
            isOpen = false
            self?.adapters.time.soon { self?.receiver?.notOpened(failure) }
        }
        // Only a chunk list can reuse a partial arrival.
        let form = left != nil && request.form == .whole ? .chunks : request.form
        let receiver = DocumentReceiver(
            form, size: reference.size, to: request.place, basis: request.basis, left: left, on: end,
            files: adapters.files, work: adapters.work, time: adapters.time, limits: adapters.limits
        ) { [self] result in
            // Perhaps after the end: then the arrival must be discarded here.
            guard let receiver = self.receiver else { return adapters.discard(result.arrival) }
            rate.end(after: receiver.received, at: adapters.time.now)
            switch result {
            case .success(let arrived):
                content = .arrived(arrived)
                feed { $0.arrived(arrived.hash, at: $1) }
            case .failure(let missed) where missed.failure.code == .limitReached && form == .chunks && isOpen:
                // The chunk list exceeds a limit at either end.
                adapters.discard(missed.left)
                fetch(Request(form: .whole, place: request.place, basis: request.basis), nil)
            case .failure(let missed):
                content = .missing(left: missed.left, waitsForApp: false)
                feed { machine, now in
                    missed.failure.code == .documentChanged
                        ? machine.changedAtOrigin(at: now) : machine.failed(missed.failure, at: now)
                }
            }
        }
        content = .arriving(receiver)
    }

    private var receiver: DocumentReceiver? { if case .arriving(let receiver) = content { receiver } else { nil } }

    // MARK: The place

    private enum Manner: Sendable {
        case at
        case exactly
        /// The file there gets an additional name.
        case overKept
        case beside
    }

    private func put(_ manner: Manner, _ place: DocumentLocation, _ replaces: FileVersion?) {
        guard case .arrived(let arrived) = content else { return feed { $0.failed(.notArrived, at: $1) } }
        let wall = adapters.time.wallTime
        let owner = manner == .beside ? wishes.deviceName : adapters.ownName()
        let copies = ConflictCopies(of: owner, at: wall, zone: adapters.zone(wall))
        let (files, version, deviceName) = (adapters.files, version, wishes.deviceName)
        lane.attempt(
            { () throws(Failure) in
                try arrived.arrival.sync(modified: arrived.head.modified, mode: arrived.head.mode)
                var order = PlacementOrder(
                    place: place, replaces: replaces, version: version, now: wall, deviceName: deviceName)
                switch manner {
                case .at: break
                case .exactly: order.isExact = true
                case .overKept: order.conflictCopy = try copies.name(beside: place, in: files)
                case .beside:
                    order.place = try copies.place(beside: place, in: files)
                    if case .container(_, let path) = place { order.versionOf = path }
                }
                return (try arrived.arrival.place(order), order)
            },
            failed: { [weak self] failure in self?.feed { $0.failed(failure, at: $1) } },
            then: { [weak self] (outcome: PlacementOutcome, order: PlacementOrder) in
                guard let self else { return }
                if case .placed(let path, let found) = outcome { isPlaced(path, found, order) }
                feed { $0.placed(outcome, at: $1) }
            })
    }

    private func isPlaced(_ path: AbsolutePath, _ found: FoundDocument, _ order: PlacementOrder) {
        guard case .container(let folder, _) = order.place else { return content = .placed(conflictCopy: nil) }
        let copy = order.conflictCopy.flatMap { try? folder.appending($0) }
        content = .placed(conflictCopy: copy)
        // No app can have had a new document open.
        if order.replaces != nil { adapters.apps.placed(PlacedDocument(path: path, copy: copy)) }
        let (wall, histories, reference) = (adapters.time.wallTime, adapters.histories, reference)
        // A failure does not matter: the document is in place.
        lane.attempt(
            { () throws(Failure) in try Self.note(.found(found), of: reference, histories, at: wall) },
            failed: { _ in }, then: {})
    }

    private func finish(_ finished: DocumentTransferStateMachine.Finished) {
        guard let path = finished.path else {
            return end(.success(DeliveredDocument(url: "", fate: finished.fate, path: nil, note: finished.note)))
        }
        var document = DeliveredDocument(
            url: FileURL(path, namesFolder: reference.kind != .file).text, fate: finished.fate, path: path,
            note: finished.note)
        if case .placed(let copy?) = content {
            document.keptCopy = copy
            if finished.fate == .conflict, document.note == nil {
                document.note = "both devices had changed it; the version that was here is now \(copy)"
            }
        }
        end(.success(document))
    }

    func progress(at now: Instant) -> DocumentProgress {
        DocumentProgress(
            continuation: wishes.continuation,
            name: DisplayText(cleaning: reference.shownName, limit: Limits.nameCharacters),
            bytes: receiver?.received ?? 0, total: receiver?.expected,
            bytesPerSecond: rate.bytesPerSecond(after: receiver?.received ?? 0, at: now),
            secondsSilent: UInt32(clamping: (receiver?.silence ?? .zero).components.seconds),
            step: machine?.step ?? .looking)
    }

    var bytesPerSecond: UInt64? { rate.bytesPerSecond }

    private func end(_ result: Result<DeliveredDocument, Failure>) {
        let last = content
        content = .ended
        alarm?.set(nil)
        let done = done.take()
        switch last {
        case .missing(let left, _), .promised(_, let left):
            if case .failure = result, let done { return done(result, left) }
            adapters.discard(left)
        case .arriving(let receiver): receiver.cancel(.documentNotWanted)
        case .arrived(let arrived): adapters.discard(arrived.arrival)
        case .placed, .ended: break
        }
        done?(result, nil)
    }
}

extension Failure {
    fileprivate static var documentNotWanted: Failure { Failure(.cancelled, "the document is no longer wanted") }
    fileprivate static var notArrived: Failure { Failure(.internal, "a document that did not come has no place") }
}
