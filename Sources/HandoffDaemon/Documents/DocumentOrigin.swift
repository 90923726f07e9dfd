// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

/// Makes references of the files that a state names, and sends their content to the device that received it.
final class DocumentOrigin {
    private let containers: ContainersService
    private let files: any DocumentFiles
    private let histories: any DocumentHistories
    private let intake: any FileIntake
    private let work: any Work
    private let time: any TimeSource
    private let limits: DocumentLimits
    private let log: Logger

    private var grants: [DocumentGrant] = []
    private var senders: [(device: DeviceID, sender: DocumentSender)] = []
    private var preparing: [ObjectIdentifier: DocumentPreparation] = [:]

    init(
        containers: ContainersService, disk: DocumentDisk, time: any TimeSource,
        limits: DocumentLimits = DocumentLimits(), log: Logger
    ) {
        self.containers = containers
        files = disk.files
        histories = disk.histories
        intake = disk.intake
        work = disk.work
        self.time = time
        self.limits = limits
        self.log = log
    }

    /// `files`: as passed by that process of the app. Calls `then` once; before this returns if the state names no
    /// file, so that a plain continuation does not wait.
    func prepare(
        _ state: ActivityState, of app: BundleID?, for request: FetchRequest, to device: DeviceID,
        files given: [SavedFile], by processID: Int32?, then: @escaping (Result<PreparedState, Failure>) -> Void
    ) {
        guard request.takesDocuments, !request.onlyWebPage, let named = NamedFiles(in: state.userInfo) else {
            forget(given)
            return then(PreparedState.make(of: state))
        }
        var wanted: [UInt32: NamedDocument] = [:]
        for url in named.urls {
            guard wanted.count < Limits.documents, let document = document(of: url, app, given) else { continue }
            wanted[UInt32(wanted.count)] = document
        }
        let open = Set(wanted.values.compactMap(\.token))
        forget(given.filter { $0.token.map { !open.contains($0) } ?? false })
        guard !wanted.isEmpty else { return then(PreparedState.make(of: state, naming: named)) }
        expect(open, of: processID) { [weak self] came in
            let there = wanted.filter { $0.value.token.map(came.contains) ?? true }
            self?.prepare(state, named, there, for: request, to: device, then: then)
        }
    }

    private func expect(
        _ tokens: Set<FileToken>, of processID: Int32?, then: @escaping (Set<FileToken>) -> Void
    ) {
        guard let processID, !tokens.isEmpty else { return then([]) }
        var (left, came) = (tokens.count, Set<FileToken>())
        for token in tokens {
            intake.expect(token, of: processID, within: limits.givenFile) { isThere in
                if isThere { came.insert(token) }
                left -= 1
                if left == 0 { then(came) }
            }
        }
    }

    private func forget(_ files: [SavedFile]) {
        for token in files.compactMap(\.token) { intake.forget(token) }
    }

    private func prepare(
        _ state: ActivityState, _ named: NamedFiles, _ wanted: [UInt32: NamedDocument], for request: FetchRequest,
        to device: DeviceID, then: @escaping (Result<PreparedState, Failure>) -> Void
    ) {
        guard !wanted.isEmpty else { return then(PreparedState.make(of: state, naming: named)) }
        let preparation = DocumentPreparation(
            wanted, files: self.files, histories: histories, work: work, time: time, limits: limits)
        preparing[ObjectIdentifier(preparation)] = preparation
        preparation.begin { [weak self] references in
            guard let self else { return }
            preparing[ObjectIdentifier(preparation)] = nil
            let prepared = grant(references, wanted, for: request, to: device)
            let indices = prepared.map { (wanted[$0.index]?.url ?? "", $0.index) }
            log.debug(
                "Documents are sent with the activity",
                metadata: ["documents": "\(prepared.count)", "left": "\(named.urls.count - prepared.count)"])
            then(
                PreparedState.make(
                    of: state, naming: named, prepared, indices: Dictionary(indices) { first, _ in first }))
        }
    }

    private func document(of url: ExactText, _ app: BundleID?, _ given: [SavedFile]) -> NamedDocument? {
        guard let file = try? FileURL(url.text) else { return nil }
        let saved = given.first { $0.url == url }
        let path = saved?.path ?? file.path
        guard let app else { return saved.flatMap { NamedDocument(outside: $0, isPackage: false) } }
        let packages = containers.packageExtensions(of: app)
        if let located = containers.container(of: path, for: app) {
            return NamedDocument(url: url, located: located, isPackage: located.path.hasExtension(of: packages))
        }
        let name = (try? DocumentPath(bytes: path.bytes.split(separator: UInt8(ascii: "/")).last ?? []))
        return saved.flatMap { NamedDocument(outside: $0, isPackage: name?.hasExtension(of: packages) ?? false) }
    }

    private func grant(
        _ references: [DocumentReference], _ wanted: [UInt32: NamedDocument], for request: FetchRequest,
        to device: DeviceID
    ) -> [DocumentReference] {
        let now = time.now
        forgetExpired()
        if grants.count(where: { $0.device == device }) >= limits.grantsPerDevice,
            let oldest = grants.firstIndex(where: { $0.device == device })
        {
            drop(grants.remove(at: oldest))
        }
        grants.append(
            DocumentGrant(
                device: device, request: request, documents: wanted, until: now.advanced(by: limits.grant)))
        return references
    }

    func membersChanged(_ isMember: (DeviceID) -> Bool) {
        for grant in grants where !isMember(grant.device) { drop(grant) }
        grants.removeAll { !isMember($0.device) }
    }

    var nextDeadline: Instant? { grants.lazy.map(\.until).min() }

    func forgetExpired() {
        let now = time.now
        for grant in grants where grant.until <= now { drop(grant) }
        grants.removeAll { $0.until <= now }
    }

    private func drop(_ grant: DocumentGrant) {
        for token in grant.documents.values.compactMap(\.token) { intake.forget(token) }
    }
}

extension DocumentOrigin {
    /// Succeeds if that device may have the document now. The end is used once joined.
    func give(
        _ index: UInt32, of activity: ActivityID, by continuation: ContinuationID, to device: DeviceID
    ) -> Result<(pass: StreamPass, end: DaemonStreamEnd), Failure> {
        let grant = grants.last {
            $0.device == device && $0.request.continuation == continuation && $0.request.activity == activity
                && $0.until > time.now
        }
        guard let grant, let document = grant.documents[index] else {
            return .failure(Failure(.notAllowed, "that device did not receive this document in this continuation"))
        }
        guard senders.count(where: { $0.device == device }) < limits.givenPerDevice else {
            return .failure(
                Failure(.limitReached, "one device is given at most \(limits.givenPerDevice) documents at a time"))
        }
        let end = DaemonStreamEnd(time: time)
        let sender = DocumentSender(
            document.location, isPackage: document.isPackage, on: end, files: files, work: work)
        sender.ended = { [weak self, weak sender] in
            self?.time.soon { self?.senders.removeAll { $0.sender === sender } }
        }
        sender.sent = { [weak self] hash in self?.note(hash, of: document) }
        senders.append((device, sender))
        let pass = StreamPass(
            device: device, activity: activity, continuation: continuation, team: grant.request.team,
            direction: .advertising, document: index)
        return .success((pass, end))
    }
}

extension DocumentOrigin {
    /// Sending a large document reveals its hash. The receiver may return a later version.
    private func note(_ hash: FileDigest, of document: NamedDocument) {
        guard let container = document.located?.container else { return }
        let wall = time.wallTime
        let lane = work.makeLane()
        lane.attempt(
            { [files, histories] () throws(Failure) in
                let sight = try files.look(at: document.location, asPackage: document.isPackage, hashing: 0)
                guard case .found(let found) = sight, let path = found.path else { return }
                try histories.note(hash, of: found, at: path, in: container, now: wall)
            },
            failed: { [log] failure in
                log.warning("The history of a document could not be saved", metadata: ["cause": "\(failure)"])
            },
            then: { withExtendedLifetime(lane) {} })
    }
}

struct PreparedState {
    let state: CarriedState
    let documents: [DocumentReference]
    let filesLeft: UInt32

    static func make(
        of state: ActivityState, naming named: NamedFiles? = nil, _ documents: [DocumentReference] = [],
        indices: [ExactText: UInt32] = [:]
    ) -> Result<PreparedState, Failure> {
        do throws(WireError) {
            return .success(
                PreparedState(
                    state: try CarriedState(state, naming: indices), documents: documents,
                    filesLeft: UInt32(clamping: (named?.urls.count ?? 0) - indices.count)))
        } catch {
            return .failure(Failure(.malformed, "what the origin's app saved cannot be read: \(error.reason)"))
        }
    }
}

struct NamedDocument {
    let url: ExactText
    let location: DocumentLocation
    let place: DocumentReference.Place
    let isPackage: Bool
    let located: LocatedDocument?

    var token: FileToken? {
        if case .open(let token) = location { token } else { nil }
    }

    init(url: ExactText, located: LocatedDocument, isPackage: Bool) {
        self.url = url
        self.located = located
        self.isPackage = isPackage
        location = .container(folder: located.folder, located.path)
        place = .container(located.container, located.path)
    }

    /// Nil if not passed by the app, or if its name cannot be sent.
    init?(outside file: SavedFile, isPackage: Bool) {
        guard let token = file.token,
            let name = try? DocumentPath(bytes: file.path.bytes.split(separator: UInt8(ascii: "/")).last ?? [])
        else { return nil }
        url = file.url
        located = nil
        self.isPackage = isPackage
        location = .open(token)
        place = .outside(name: name)
    }
}

private struct DocumentGrant {
    let device: DeviceID
    let request: FetchRequest
    let documents: [UInt32: NamedDocument]
    let until: Instant
}

extension DocumentPath {
    func hasExtension(of extensions: Set<String>) -> Bool {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return false }
        return extensions.contains(String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased())
    }
}

extension DocumentHistory {
    /// Records seen or placed content, and drops the oldest beyond the limit. Restored content is listed twice.
    mutating func note(_ hash: FileDigest, of file: FileNumber, at now: WallTime) {
        if hashes.last != hash { hashes.append(hash) }
        if hashes.count > Limits.knownHashes { hashes.removeFirst(hashes.count - Limits.knownHashes) }
        device = file.device
        inode = file.inode
        looked = now
    }

    /// For `DocumentReference.known`. Nil: the present content is unknown, so all are returned.
    func hashes(before hash: FileDigest?) -> [FileDigest] {
        hash != nil && hashes.last == hash ? hashes.dropLast() : hashes
    }

    var file: FileNumber { FileNumber(device: device, inode: inode) }
}
