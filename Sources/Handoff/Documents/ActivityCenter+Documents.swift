// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffClient
internal import HandoffSystem
package import HandoffWire

struct FilesState: Sendable {
    /// The oldest deliveries are dropped.
    static let keptDeliveries = 256

    var known = KnownContainers()
    var delivered: [FilePlace: DeliveredDocument] = [:]
    /// The places of `delivered`, oldest first.
    var deliveries: [FilePlace] = []
    var accesses: [FilePlace: Int] = [:]
    /// The copies of this device's versions, by file.
    var conflictCopies: [FilePlace: [FilePlace]] = [:]
    /// Resolved conflicts that the file system cannot record.
    var resolved: Set<FilePlace> = []
    var placings: [FilePlace: Placing] = [:]
    /// The devices whose version replaced an open file, not read since.
    var unread: [FilePlace: String] = [:]
    var downloads: [FilePlace: [Once<Failure?>]] = [:]

    struct Placing: Sendable {
        let use: FileUse
        let deviceName: String
    }

    mutating func deliver(_ document: DeliveredDocument, at place: FilePlace) {
        if delivered.updateValue(document, forKey: place) == nil { deliveries.append(place) }
        if let copy = document.keptCopy { conflictCopies[place, default: []].append(FilePlace(copy)) }
        while deliveries.count > Self.keptDeliveries { delivered[deliveries.removeFirst()] = nil }
    }
}

package protocol ChangesHolder: NSFilePresenter {
    /// Calls `answer` once, on any thread.
    func saysWhetherItHasChanges(_ answer: @escaping @Sendable (Bool) -> Void)
}

extension ActivityCenter {
    // MARK: Delivered

    /// Returns sentences for the user.
    func deliver(_ documents: [DeliveredDocument]) -> [String] {
        state.withLock { state in
            for document in documents {
                guard let path = document.path else { continue }
                state.files.deliver(document, at: FilePlace(path))
            }
        }
        return documents.compactMap(\.note)
    }

    /// The document is fetched only when the app asks.
    package func isPending(_ place: FilePlace) -> Bool {
        state.withLock { $0.files.delivered[place]?.fate == .pending }
    }

    /// Calls `done` once, on any thread.
    package func download(_ place: FilePlace, done: @escaping @Sendable (Failure?) -> Void) {
        let waiter = Once(done)
        let isFirst = state.withLock { state -> Bool? in
            guard state.files.delivered[place]?.fate == .pending else { return nil }
            let isFirst = state.files.downloads[place] == nil
            state.files.downloads[place, default: []].append(waiter)
            return isFirst
        }
        guard let isFirst else { return waiter(nil) }
        guard isFirst else { return }
        let line = state.withLock { $0.isConnected ? $0.connection : nil }
        let isAsked = line?.follow(.documents(.downloadDocument(place.path))) { [weak self] result in
            switch result {
            case .success(.documents(.documentProgress(let progress))):
                self?.handler?.progressed(progress)
                return true
            case .success: self?.downloaded(place, nil)
            case .failure(let failure): self?.downloaded(place, failure)
            }
            return false
        }
        if isAsked != true {
            downloaded(place, Failure(.connectionUnavailable, "the daemon is not connected"))
        }
    }

    /// Stops at the first failure.
    func download(_ places: [FilePlace], done: @escaping @Sendable (Failure?) -> Void) {
        guard let place = places.first else { return done(nil) }
        download(place) { failure in
            failure == nil ? self.download(Array(places.dropFirst()), done: done) : done(failure)
        }
    }

    private func downloaded(_ place: FilePlace, _ failure: Failure?) {
        let waiters = state.withLock { state in
            if failure == nil { state.files.delivered[place]?.fate = .created }
            return state.files.downloads.removeValue(forKey: place) ?? []
        }
        if failure == nil { coordination.tellChange(at: place, hasAppeared: true) }
        for waiter in waiters { waiter(failure) }
    }

    /// Calls `done` once, on any thread, within half of the time; the file on disk may be sent in any case.
    func lookAtFiles(of activity: ActivityID, within deadline: Duration, done: @escaping @Sendable () -> Void) {
        let (record, handler) = state.withLock { ($0.current?.id == activity ? $0.current : nil, $0.handler) }
        guard let record, let handler,
            let activity = record.state.withLock({ state in
                state.owners.contains { $0.owner?.isAboutFile ?? false } ? state.activity : nil
            })
        else { return done() }
        let once = Once<Void> { done() }
        environment.wait(deadline / 2) { once(()) }
        handler.lookAtFiles(of: activity) { once(()) }
    }

    package func cancel(_ continuation: ContinuationID) {
        _ = state.withLock { $0.connection }?.send(.documents(.cancelContinuation(continuation)))
    }

    // MARK: Arrivals while documents are open

    /// For presenters; the daemon waits no longer.
    static let placingPatience = Duration.seconds(8)
    /// Protects the file from writing if the daemon reports no outcome.
    static let placingTime = Duration.seconds(30)

    func documentComing(_ path: AbsolutePath, from deviceName: DisplayText, ticket: AnswerTicket?) {
        let place = FilePlace(path)
        let access = FileAccess(place: place, isWriting: true, coversContents: true)
        guard coordination.isInUse(access) else { return answer(ticket, .done(accepted: true)) }
        let use = FileUse(
            [FileUse.Part(access: access, question: .letWrite(saving: true))], for: "the daemon", of: nil,
            in: coordination)
        let answered = Once<Failure?> { [weak self] failure in
            guard let self else { return }
            if let failure {
                use.end(tellingChanges: false)
                return answer(ticket, .failure(failure))
            }
            hold(use, for: place, from: deviceName.text)
            answer(ticket, .done(accepted: true))
        }
        environment.wait(Self.placingPatience) {
            answered(Failure(.appTimedOut, "the app did not save the document in time"))
        }
        use.waitForTurn { error in
            if error != nil { return }
            use.askPresenters(patience: Self.placingPatience, wait: self.environment.wait) { error in
                if let error {
                    return answered(
                        Failure(.documentChanged, "the app could not save its changes: \(error.localizedDescription)"))
                }
                self.checkSaved(self.coordination.presenters(of: [access])) { isSaved in
                    answered(
                        isSaved ? nil : Failure(.documentChanged, "the app has unsaved changes and did not save them"))
                }
            }
        }
    }

    private func checkSaved(_ presenters: [PresenterReference], _ answer: @escaping @Sendable (Bool) -> Void) {
        guard let first = presenters.first else { return answer(true) }
        guard let holder = first.presenter as? any ChangesHolder else {
            return checkSaved(Array(presenters.dropFirst()), answer)
        }
        holder.saysWhetherItHasChanges { hasChanges in
            hasChanges ? answer(false) : self.checkSaved(Array(presenters.dropFirst()), answer)
        }
    }

    private func hold(_ use: FileUse, for place: FilePlace, from deviceName: String) {
        use.hasAsked()
        let before = state.withLock { state in
            let placing = FilesState.Placing(use: use, deviceName: deviceName)
            return state.files.placings.updateValue(placing, forKey: place)
        }
        before?.use.end(tellingChanges: false)
        environment.wait(Self.placingTime) { [weak self] in
            let isOver = self?.state.withLock { state in
                guard state.files.placings[place]?.use === use else { return false }
                state.files.placings[place] = nil
                return true
            }
            if isOver == true { use.end() }
        }
    }

    func documentPlaced(_ placed: PlacedDocument) {
        let place = FilePlace(placed.path)
        let old = placed.oldPath.map { FilePlace($0) }
        let copy = placed.copy.map { FilePlace($0) }
        let placing = state.withLock { state in
            let placing = state.files.placings.removeValue(forKey: old ?? place)
            if let placing { state.files.unread[place] = placing.deviceName }
            if let copy { state.files.conflictCopies[place, default: []].append(copy) }
            return placing
        }
        let tell = { [self] in
            let version = copy.flatMap { NSFileVersion(conflictCopy: $0, of: place, in: self) }
            coordination.tellPlaced(at: place, from: old, gained: version)
        }
        guard let placing else { return tell() }
        placing.use.end(tellingChanges: false, telling: tell)
    }

    package func addPresenter(_ presenter: any NSFilePresenter) { coordination.add(presenter) }
    package func removePresenter(_ presenter: any NSFilePresenter) { coordination.remove(presenter) }

    /// Notifies other presenters of an uncoordinated write.
    package func wasWritten(_ place: FilePlace, by presenter: any NSFilePresenter) {
        coordination.tellChange(at: place, except: ObjectIdentifier(presenter))
    }

    // MARK: Unread versions

    package func wasRead(_ place: FilePlace) { state.withLock { $0.files.unread[place] = nil } }

    /// Keeps an unread version from another device as a copy, before the document overwrites it. For any thread.
    package func keepUnreadVersion(at place: FilePlace) throws {
        guard let deviceName = state.withLock({ $0.files.unread[place] }), let folder = place.folder else { return }
        let opened = try OpenFile.open(folder.text, O_RDONLY | O_DIRECTORY)
        let limit = fpathconf(opened.descriptor, CInt(_PC_NAME_MAX))
        let entries = try opened.entries(atMost: .max)
        let now = environment.now()
        let name = try DocumentName.conflictCopy(
            of: try DocumentPath(bytes: place.name), device: DisplayText(cleaning: deviceName),
            at: WallTime(milliseconds: Int64(now.timeIntervalSince1970 * 1000)),
            offset: TimeZone.current.secondsFromGMT(for: now), among: entries.map { Array($0.utf8) },
            limit: limit > 0 ? min(limit, Limits.pathPartBytes) : Limits.pathPartBytes)
        let copy = FilePlace(try folder.path.appending(name))
        try FileManager.default.copyItem(at: place.url, to: copy.url)
        state.withLock { state in
            state.files.unread[place] = nil
            state.files.conflictCopies[place, default: []].append(copy)
        }
        if let version = NSFileVersion(conflictCopy: copy, of: place, in: self) {
            coordination.tell(.gained, version, of: place)
        }
    }
}

extension NSUserActivity {
    package func delivered(_ place: FilePlace) -> Bool {
        record.state.withLock { $0.delivered }.contains(place)
    }
}
