// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff
internal import HandoffSystem

/// A document as in UIKit: created for a file, read and written in the background. Completion handlers are called on
/// the main thread, with false on failure, after `handleError`.
///
/// Its activity does not become current automatically: share it with a view controller or call `becomeCurrent()`.
@preconcurrency @MainActor
open class UIDocument: HandoffDocument {
    /// The key of the document's URL.
    nonisolated open class var userActivityURLKey: String { NSUserActivityDocumentURLKey }

    /// The state of a document.
    public struct State: OptionSet, Sendable, Hashable {
        /// UIKit's number.
        public let rawValue: UInt
        /// Keeps unknown bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Open, without problems.
        public static let normal: State = []
        /// Not open.
        public static let closed = State(rawValue: 1 << 0)
        /// Two devices changed it. `NSFileVersion.unresolvedConflictVersionsOfItem(at:)` has this device's version.
        public static let inConflict = State(rawValue: 1 << 1)
        /// The last save failed.
        public static let savingError = State(rawValue: 1 << 2)
        /// The user must not edit: the file is being read again or replaced by another device's version.
        public static let editingDisabled = State(rawValue: 1 << 3)
        /// Never set; ``HandoffContinuationDisplay`` shows the progress.
        public static let progressAvailable = State(rawValue: 1 << 4)
    }

    /// Posted with the document when `documentState` changes.
    nonisolated public static let stateChangedNotification = Notification.Name("UIDocumentStateChangedNotification")

    /// The kind of a change.
    public enum ChangeKind: Sendable, Hashable { case done, undone, redone, cleared }

    /// Whether the file is new.
    public enum SaveOperation: Sendable, Hashable { case forCreating, forOverwriting }

    /// Closed until opened.
    public private(set) final var documentState: State = .closed {
        didSet {
            guard documentState != oldValue else { return }
            NotificationCenter.default.post(name: Self.stateChangedNotification, object: self)
        }
    }
    private var changes = 0
    private let firstURL: URL
    private var pauses = 0

    /// Does not read the file, which need not exist yet.
    public init(fileURL url: URL) {
        firstURL = url
        super.init(location: url)
    }

    /// The document's file.
    open override var fileURL: URL { super.fileURL ?? firstURL }

    /// Shown to the user.
    open var localizedName: String { displayName }

    /// The file's modification date when last read or written.
    public private(set) final var fileModificationDate: Date?

    // MARK: Overridable

    /// Takes the content, a `Data`, on the main thread.
    open func load(fromContents contents: Any, ofType typeName: String?) throws {}

    /// Returns the content to write, a `Data`, on the main thread. The default throws.
    open func contents(forType typeName: String) throws -> Any { throw CocoaError(.featureUnsupported) }

    /// Reading or writing failed.
    open func handleError(_ error: any Error, userInteractionPermitted: Bool) {}

    /// The user must not edit now.
    open func disableEditing() {}
    /// The user may edit again.
    open func enableEditing() {}

    // MARK: Opening, saving, closing

    /// Reads the file.
    open func open(completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        read { error in
            if let error { self.handleError(error, userInteractionPermitted: true) }
            completionHandler?(error == nil)
        }
    }

    /// Writes the document.
    open func save(
        to url: URL, for saveOperation: SaveOperation, completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        do {
            guard let data = try contents(forType: fileType ?? "") as? Data else {
                throw CocoaError(.featureUnsupported)
            }
            let saved = changes
            let center = center
            let write: @Sendable (NSFileCoordinator) throws -> FileState = { coordinator in
                try coordinator.write(to: url) { url in
                    // Keeps a version whose arrival was not reported in time.
                    if let place = FilePlace(url) { try center.keepUnreadVersion(at: place) }
                    try data.writeKeepingAttributes(to: url)
                    return FileState(at: url, in: center)
                }
            }
            inBackground(write) { result in
                switch result {
                case .success(let file):
                    self.changes -= saved
                    self.documentState.remove(.savingError)
                    if saveOperation == .forCreating { self.isOpen() }
                    self.move(to: url)
                    self.present(true)
                    self.has(file)
                case .failure(let error): self.savingFailed(error)
                }
                completionHandler?(!self.documentState.contains(.savingError))
            }
        } catch {
            savingFailed(error)
            completionHandler?(false)
        }
    }

    /// The `async` form.
    @discardableResult
    public final func open() async -> Bool {
        await withCheckedContinuation { done in open { done.resume(returning: $0) } }
    }

    /// The `async` form.
    @discardableResult
    public final func save(to url: URL, for saveOperation: SaveOperation) async -> Bool {
        await withCheckedContinuation { done in save(to: url, for: saveOperation) { done.resume(returning: $0) } }
    }

    /// The `async` form.
    @discardableResult
    public final func close() async -> Bool {
        await withCheckedContinuation { done in close(completionHandler: { done.resume(returning: $0) }) }
    }

    /// The `async` form.
    @discardableResult
    public final func autosave() async -> Bool {
        await withCheckedContinuation { done in autosave { done.resume(returning: $0) } }
    }

    /// The `async` form.
    @discardableResult
    public final func revert(toContentsOf url: URL) async -> Bool {
        await withCheckedContinuation { done in revert(toContentsOf: url) { done.resume(returning: $0) } }
    }

    private func savingFailed(_ error: any Error) {
        documentState.insert(.savingError)
        handleError(error, userInteractionPermitted: true)
    }

    /// Saves unsaved changes to the document's file.
    open func autosave(completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        guard hasUnsavedChanges, !documentState.contains(.closed) else {
            completionHandler?(true)
            return
        }
        save(to: fileURL, for: .forOverwriting, completionHandler: completionHandler)
    }

    /// Replaces the document's content with the file's, with editing disabled.
    open func revert(
        toContentsOf url: URL, completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        setPaused(true)
        read(from: url) { error in
            self.setPaused(false)
            if let error {
                self.handleError(error, userInteractionPermitted: true)
            } else {
                self.updateChangeCount(.cleared)
            }
            completionHandler?(error == nil)
        }
    }

    /// Whether there are unsaved changes.
    open var hasUnsavedChanges: Bool { changes != 0 }

    /// Adds, removes or clears changes.
    open func updateChangeCount(_ change: ChangeKind) {
        switch change {
        case .done, .redone: changes += 1
        case .undone: changes -= 1
        case .cleared: changes = 0
        }
    }

    /// Saves and closes the document, its windows and its activity. On failure it stays open.
    open func close(completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        guard !documentState.contains(.closed), hasUnsavedChanges else {
            close()
            completionHandler?(true)
            return
        }
        save(to: fileURL, for: .forOverwriting) { saved in
            if saved { self.close() }
            completionHandler?(saved)
        }
    }

    /// Closes without saving.
    open override func close() {
        let wasPaused = documentState.contains(.editingDisabled)
        documentState = documentState.subtracting([.inConflict, .editingDisabled]).union(.closed)
        if wasPaused { enableEditing() }
        super.close()
    }

    private func isOpen() {
        documentState.remove(.closed)
        showPauses()
    }

    override func lastWindowWasClosed() { close(completionHandler: nil) }

    override func load(from url: URL, ofType typeName: String, done: @escaping @MainActor ((any Error)?) -> Void) {
        fileType = typeName
        read(done)
    }

    private func read(_ done: @escaping @MainActor ((any Error)?) -> Void) {
        read(from: fileURL) { error in
            if error == nil {
                self.isOpen()
                self.present(true)
            }
            done(error)
        }
    }

    private func read(from url: URL, _ done: @escaping @MainActor ((any Error)?) -> Void) {
        let center = center
        let work: @Sendable (NSFileCoordinator) throws -> (Data, FileState) = { coordinator in
            try coordinator.read(from: url) { (try Data(contentsOf: $0), FileState(at: $0, in: center)) }
        }
        inBackground(work) { result in
            do {
                let (data, file) = try result.get()
                try self.load(fromContents: data, ofType: self.fileType)
                if FilePlace(url) == self.place { self.has(file) }
                done(nil)
            } catch {
                done(error)
            }
        }
    }

    private func inBackground<Value: Sendable>(
        _ work: @escaping @Sendable (NSFileCoordinator) throws -> Value,
        then: @escaping @MainActor (Result<Value, any Error>) -> Void
    ) {
        let coordinator = NSFileCoordinator(filePresenter: self, center: center)
        DispatchQueue.global().async {
            let result = Result { try work(coordinator) }
            self.onMainThread { _ in then(result) }
        }
    }

    // MARK: Other programs and devices

    override var hasChanges: Bool { hasUnsavedChanges }

    override func saveChanges(_ done: @escaping @MainActor ((any Error)?) -> Void) {
        autosave { isSaved in done(isSaved ? nil : CocoaError(.fileWriteUnknown)) }
    }

    override func readAgain() {
        if !documentState.contains(.closed) { revert(toContentsOf: fileURL) }
    }

    override func versionsChanged() {
        let (url, center) = (fileURL, center)
        inBackground({ _ in FileState(at: url, in: center) }) { result in
            guard !self.documentState.contains(.closed), let file = try? result.get() else { return }
            self.setInConflict(file.isInConflict)
        }
    }

    override func setPaused(_ isPaused: Bool) {
        pauses += isPaused ? 1 : -1
        showPauses()
    }

    /// A writer may still release a closed document's file.
    private func showPauses() {
        let isPaused = pauses > 0 && !documentState.contains(.closed)
        guard isPaused != documentState.contains(.editingDisabled) else { return }
        if isPaused {
            documentState.insert(.editingDisabled)
            disableEditing()
        } else {
            documentState.remove(.editingDisabled)
            enableEditing()
        }
    }

    private func setInConflict(_ isInConflict: Bool) {
        if isInConflict { documentState.insert(.inConflict) } else { documentState.remove(.inConflict) }
    }

    private func has(_ file: FileState) {
        hasRead()
        seen = file.stamp
        fileModificationDate = file.modified
        setInConflict(file.isInConflict)
    }
}

private struct FileState: Sendable {
    let stamp: FileStamp?
    let modified: Date?
    let isInConflict: Bool

    init(at url: URL, in center: ActivityCenter) {
        stamp = FilePlace(url).flatMap { FileStamp(path: $0.text) }
        modified = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.modificationDate] as? Date
        isInConflict = center.run { !(NSFileVersion.unresolvedConflictVersionsOfItem(at: url) ?? []).isEmpty }
    }
}

extension NSFileCoordinator {
    fileprivate func read<Value>(from url: URL, _ body: (URL) throws -> Value) throws -> Value {
        var outcome: Result<Value, any Error>?
        var failure: NSError?
        coordinate(readingItemAt: url, error: &failure) { url in outcome = Result { try body(url) } }
        return try outcome?.get() ?? { throw failure ?? CocoaError(.fileReadUnknown) }()
    }

    fileprivate func write<Value>(to url: URL, _ body: (URL) throws -> Value) throws -> Value {
        var outcome: Result<Value, any Error>?
        var failure: NSError?
        coordinate(writingItemAt: url, options: .forReplacing, error: &failure) { url in
            outcome = Result { try body(url) }
        }
        return try outcome?.get() ?? { throw failure ?? CocoaError(.fileWriteUnknown) }()
    }
}
