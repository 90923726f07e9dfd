// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

/// Sends and receives the documents of continuations.
///
///     DocumentsService
///     +-- DocumentOrigin ------ DocumentPreparation       describes documents of this device, by DocumentReference
///     |   +-- DocumentSender -- DocumentSenderStateMachine     sends one of them
///     +-- DocumentTransfers                               all documents of one continuation, one after the other
///         +-- DocumentTransfer -- DocumentTransferStateMachine     one document, from its reference to its place
///             +-- DocumentReceiver -- DocumentReceiverStateMachine     receives its bytes, into an arrival
///                 +-- Arrival (HandoffHost)               writes them to the disk, and places them by a Placement
///
/// After a cut, the service keeps the arrival for a later transfer.
final class DocumentsService: Feature {
    let origin: DocumentOrigin
    private let adapters: DocumentAdapters
    private let membership: any Membership
    private let memory: MemoryAfterLoad
    private var random: Randomness
    private let log: Logger

    private var transfers: [ContinuationID: DocumentTransfers] = [:]
    private var rates: [DeviceID: UInt64] = [:]
    private var leftovers: [Leftover] = []
    private var held: [HeldDocument] = []
    private var downloads: [Download] = []
    private var alarm: (any Alarm)?

    init(
        origin: DocumentOrigin, disk: DocumentDisk, containers: ContainersService, streams: StreamsService,
        apps: DocumentPresenters, membership: any Membership, time: any TimeSource, random: Randomness,
        ownName: DisplayText, memory: (any ProcessMemory)? = nil, limits: DocumentLimits = DocumentLimits(),
        log: Logger
    ) {
        self.origin = origin
        self.memory = MemoryAfterLoad(memory, time: time)
        adapters = DocumentAdapters(
            files: disk.files, histories: disk.histories, containers: containers, streams: streams, apps: apps,
            work: disk.work, time: time, limits: limits,
            ownName: { [weak membership] in membership.flatMap { $0.member($0.device)?.name } ?? ownName },
            zone: disk.zone)
        self.membership = membership
        self.random = random
        self.log = log
    }

    func start() throws {
        alarm = adapters.time.makeAlarm { [weak self] in self?.deadlineReached() }
        membership.onChange { [weak self] change in
            guard let self, change.isOfMembers else { return }
            origin.membersChanged { self.membership.member($0) != nil }
            discardLeftovers { self.membership.member($0.key.device) == nil }
        }
        removeExpired()
    }

    func stop() {
        for documents in transfers.values { documents.cancel() }
        alarm?.set(nil)
        memory.stop()
    }

    private func deadlineReached() {
        let now = adapters.time.now
        discardLeftovers { $0.until <= now }
        letGoOfHeld { $0.until <= now }
        origin.forgetExpired()
        for download in downloads {
            download.reply(.documents(.documentProgress(download.transfer.progress(at: now))))
        }
        if let next = nextCleaning, next <= now { removeExpired() } else { arm() }
    }

    private func discardLeftovers(where isOver: (Leftover) -> Bool) {
        for leftover in leftovers where isOver(leftover) { adapters.discard(leftover.arrival) }
        leftovers.removeAll(where: isOver)
    }

    private func letGoOfHeld(where isOver: (HeldDocument) -> Bool) {
        let over = held.filter(isOver)
        held.removeAll(where: isOver)
        for document in over { document.transfer.cancel() }
    }

    private func arm() {
        let first = leftovers.lazy.map(\.until).min().earlier(held.lazy.map(\.until).min())
        let report = downloads.isEmpty ? nil : adapters.time.now.advanced(by: DocumentTransfers.progressEvery)
        alarm?.set(first.earlier(nextCleaning).earlier(report))
    }

    // MARK: Cleaning up

    private static let cleaningEvery = Duration.seconds(6 * 3600)
    private var nextCleaning: Instant?
    private lazy var cleaning = adapters.work.makeLane()

    private func removeExpired() {
        nextCleaning = adapters.time.now.advanced(by: Self.cleaningEvery)
        let now = adapters.time.wallTime
        cleaning.attempt(
            { [files = adapters.files] () throws(Failure) in files.removeExpired(at: now) },
            failed: { [log] in log.notice("Old documents could not be removed", metadata: ["code": "\($0.code)"]) },
            then: { [log] left in
                for failure in left {
                    log.notice("An old document could not be removed", metadata: ["code": "\(failure.code)"])
                }
            })
        arm()
    }
}

private struct Leftover {
    struct Key: Hashable {
        let device: DeviceID
        let place: DocumentReference.Place
        let size: UInt64
    }

    let key: Key
    let arrival: any DocumentArrival
    let until: Instant
}

/// The app has only its URL.
private struct HeldDocument {
    let path: AbsolutePath
    let app: BundleID
    let transfer: DocumentTransfer
    let until: Instant
}

extension DocumentsService {
    /// Brings a continuation's documents here before the app gets its state. Calls `then` once, on the loop, perhaps
    /// before this returns, with the state that names local URLs; until then, calls `progress`.
    func bring(
        _ references: [DocumentReference], for state: CarriedState, by wishes: DocumentWishes,
        progress: @escaping (DocumentProgress) -> Void, then: @escaping (Result<BroughtDocuments, Failure>) -> Void
    ) {
        let holds = wishes.app.map(adapters.containers.downloadsItself) ?? false
        let documents = DocumentTransfers(
            references, wishes, time: adapters.time,
            make: { [unowned self] in transfer($0, wishes, waitsForApp: holds) }, tell: progress,
            ended: { [weak self] transfer, left in self?.ended(transfer, wishes, left) })
        transfers[wishes.continuation] = documents
        documents.begin { [weak self, weak documents] result in
            guard let self else { return }
            transfers[wishes.continuation] = nil
            if let app = wishes.app { hold(documents?.held ?? [], result, for: app) }
            then(result.flatMap { Self.brought($0, in: state) })
        }
    }

    func stopBringing(_ continuation: ContinuationID) {
        transfers.removeValue(forKey: continuation)?.cancel()
    }

    private func transfer(_ reference: DocumentReference, _ wishes: DocumentWishes, waitsForApp: Bool)
        -> DocumentTransfer
    {
        let key = Leftover.Key(device: wishes.device, place: reference.place, size: reference.size)
        let index = leftovers.firstIndex { $0.key == key }
        let left = index.map { leftovers.remove(at: $0).arrival }
        return DocumentTransfer(
            reference, wishes, adapters: adapters, version: VersionID.random(using: &random),
            rate: rates[wishes.device], left: left, waitsForApp: waitsForApp)
    }

    private func ended(_ transfer: DocumentTransfer, _ wishes: DocumentWishes, _ left: (any DocumentArrival)?) {
        memory.loadEnded()
        if let rate = transfer.bytesPerSecond { rates[wishes.device] = rate }
        guard let left else { return }
        if leftovers.count >= adapters.limits.resumable { adapters.discard(leftovers.removeFirst().arrival) }
        let reference = transfer.reference
        let key = Leftover.Key(device: wishes.device, place: reference.place, size: reference.size)
        leftovers.append(
            Leftover(key: key, arrival: left, until: adapters.time.now.advanced(by: adapters.limits.resume)))
        arm()
    }

    private func hold(
        _ transfers: [DocumentTransfer], _ result: Result<[UInt32: DeliveredDocument], Failure>, for app: BundleID
    ) {
        guard case .success(let documents) = result else { return }
        for transfer in transfers {
            guard let path = documents[transfer.reference.index]?.path else { continue }
            letGoOfHeld { $0.path == path }
            if held.count >= Limits.documents { held.removeFirst().transfer.cancel() }
            held.append(
                HeldDocument(
                    path: path, app: app, transfer: transfer,
                    until: adapters.time.now.advanced(by: adapters.limits.grant)))
        }
        arm()
    }

    private static func brought(
        _ documents: [UInt32: DeliveredDocument], in state: CarriedState
    ) -> Result<BroughtDocuments, Failure> {
        let urls = documents.compactMapValues { $0.path == nil ? nil : $0.url }
        let sorted = documents.sorted { $0.key < $1.key }.map(\.value)
        return state.opened(with: urls).map { BroughtDocuments(state: $0, documents: sorted) }
    }
}

extension CarriedState {
    func opened(with urls: [UInt32: String] = [:]) -> Result<ActivityState, Failure> {
        do throws(WireError) {
            return .success(try delivered(with: urls))
        } catch {
            return .failure(Failure(.malformed, "the state from the other device cannot be used: \(error.reason)"))
        }
    }
}

// MARK: - Downloads

extension DocumentsService {
    func download(_ path: AbsolutePath, for client: any Client, reply: @escaping ClientReply) {
        guard let index = held.firstIndex(where: { $0.path == path && $0.app == client.bundle }) else {
            return reply(
                .failure(
                    Failure(.documentGone, "no document is expected there any longer; continue the activity again")))
        }
        let transfer = held.remove(at: index).transfer
        let download = Download(transfer: transfer, reply: reply)
        downloads.append(download)
        transfer.resume { [weak self, adapters] result, left in
            adapters.discard(left)
            self?.memory.loadEnded()
            self?.downloads.removeAll { $0.transfer === transfer }
            switch result {
            case .success: reply(.done(accepted: true))
            case .failure(let failure): reply(.failure(failure))
            }
        }
        arm()
    }
}

private struct Download {
    let transfer: DocumentTransfer
    let reply: ClientReply
}

/// Returns memory to the system after transfers. A package's list alone has up to 16 MiB.
final class MemoryAfterLoad {
    private let memory: (any ProcessMemory)?
    private let time: any TimeSource
    private var rule = MemoryReturn()
    private lazy var alarm = time.makeAlarm { [weak self] in self?.deadlineReached() }

    init(_ memory: (any ProcessMemory)?, time: any TimeSource) {
        self.memory = memory
        self.time = time
    }

    func loadEnded() {
        rule.loadEnded(at: time.now)
        alarm.set(rule.nextDeadline)
    }

    func stop() { alarm.set(nil) }

    private func deadlineReached() {
        if rule.deadlineReached(at: time.now) { memory?.giveBack() }
        alarm.set(rule.nextDeadline)
    }
}
