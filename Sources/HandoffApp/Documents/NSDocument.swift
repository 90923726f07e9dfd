// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff

/// A document as in AppKit: its location may change, and it is read synchronously. Completion handlers are called once,
/// on the main thread.
@preconcurrency @MainActor
open class NSDocument: HandoffDocument {
    /// The kind of a change to the document.
    public enum ChangeType: Sendable, Hashable {
        case changeDone, changeUndone, changeRedone, changeCleared, changeReadOtherContents, changeAutosaved
        /// Need not be saved.
        case changeDiscardable
    }

    /// With AppKit's numbers.
    public enum SaveOperationType: UInt, Sendable {
        /// Writes to the document's file.
        case saveOperation = 0
        /// Writes to another file, which becomes the document's.
        case saveAsOperation = 1
        /// Writes a copy.
        case saveToOperation = 2
        /// Writes a copy of unsaved changes without asking.
        case autosaveElsewhereOperation = 3
        /// Writes to the document's file without asking.
        case autosaveInPlaceOperation = 4
        /// As `saveAsOperation`, without asking.
        case autosaveAsOperation = 5

        fileprivate var movesDocument: Bool { self != .saveToOperation && self != .autosaveElsewhereOperation }
    }

    private var changes = 0
    private var unautosavedChanges = 0

    /// Creates a document without a location.
    public override init() { super.init() }

    /// Reads the file.
    public init(contentsOf url: URL, ofType typeName: String) throws {
        super.init(location: url)
        fileType = typeName
        try read(from: url, ofType: typeName)
        hasReadFile()
        present(true)
    }

    /// Nil if never saved. A change sets the activity's `needsSave`.
    open override var fileURL: URL? {
        get { super.fileURL }
        set { move(to: newValue) }
    }

    // MARK: Reading and writing

    /// Reads the file; by default with `read(from:ofType:)`.
    open func read(from url: URL, ofType typeName: String) throws {
        try read(from: try Data(contentsOf: url), ofType: typeName)
    }

    /// Reads bytes from outside. Override this or the method with a URL; the default throws.
    open func read(from data: Data, ofType typeName: String) throws {
        throw CocoaError(.featureUnsupported)
    }

    /// The bytes to write. Override this or `write(to:ofType:)`; the default throws.
    open func data(ofType typeName: String) throws -> Data {
        throw CocoaError(.featureUnsupported)
    }

    /// Writes the document atomically.
    open func write(to url: URL, ofType typeName: String) throws {
        try data(ofType: typeName).writeKeepingAttributes(to: url)
    }

    /// Writes the document; by default with `write(to:ofType:)`. `originalContentsURL` is its own file, nil if never
    /// saved.
    open func write(
        to url: URL, ofType typeName: String, for saveOperation: SaveOperationType,
        originalContentsURL absoluteOriginalContentsURL: URL?
    ) throws {
        try write(to: url, ofType: typeName)
    }

    /// Replaces a file but keeps its mode, group, access control list and extended attributes. The default calls
    /// `write(to:ofType:for:originalContentsURL:)`.
    open func writeSafely(to url: URL, ofType typeName: String, for saveOperation: SaveOperationType) throws {
        try url.keepingAttributes {
            try write(to: url, ofType: typeName, for: saveOperation, originalContentsURL: fileURL)
        }
    }

    /// Writes the document; the file becomes the document's unless it is a copy. Keeps another device's version next to
    /// it. Removes a draft saved elsewhere. The framework saves through this method.
    open func save(
        to url: URL, ofType typeName: String, for saveOperation: SaveOperationType,
        completionHandler: @escaping ((any Error)?) -> Void
    ) {
        completionHandler(error(of: { try store(at: url, ofType: typeName, for: saveOperation) }))
    }

    /// The `async` form. Override either.
    open func save(to url: URL, ofType typeName: String, for saveOperation: SaveOperationType) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            save(to: url, ofType: typeName, for: saveOperation) { done.resume(failing: $0) }
        }
    }

    /// Writes the document at once; the file becomes the document's.
    open func save(to url: URL, ofType typeName: String) throws {
        let isThere = fileURL.flatMap(FilePlace.init) == FilePlace(url)
        try store(at: url, ofType: typeName, for: isThere ? .saveOperation : .saveAsOperation)
    }

    private func store(at url: URL, ofType typeName: String, for saveOperation: SaveOperationType) throws {
        guard saveOperation.movesDocument else {
            try writeSafely(to: url, ofType: typeName, for: saveOperation)
            if saveOperation == .autosaveElsewhereOperation {
                autosavedContentsFileURL = url
                updateChangeCount(.changeAutosaved)
            }
            return
        }
        let draft = isDraft ? fileURL : nil
        if let target = FilePlace(url) { try center.keepUnreadVersion(at: target) }
        try writeSafely(to: url, ofType: typeName, for: saveOperation)
        fileType = typeName
        fileURL = url
        autosavedContentsFileURL = nil
        updateChangeCount(.changeCleared)
        hasReadFile()
        if let place { center.wasWritten(place, by: self) }
        guard let draft, FilePlace(draft) != place else { return }
        try? FileManager.default.removeItem(at: draft)
    }

    private func saveInPlace(_ done: @escaping ((any Error)?) -> Void) {
        guard let fileURL else { return done(nil) }
        save(at: fileURL, for: .autosaveInPlaceOperation, done)
    }

    /// The default of the `async` form calls the other: either may be overridden. Immediate, so that a synchronous
    /// document is saved before this returns.
    private func save(
        at url: URL, for saveOperation: SaveOperationType, _ done: @escaping ((any Error)?) -> Void
    ) {
        Task.immediate {
            do {
                try await save(to: url, ofType: fileType ?? "", for: saveOperation)
                done(nil)
            } catch {
                done(error)
            }
        }
    }

    /// Saves to the document's own file without asking, if `autosavesInPlace`.
    open func autosave(
        withImplicitCancellability autosavingIsImplicitlyCancellable: Bool,
        completionHandler: @escaping ((any Error)?) -> Void
    ) {
        guard Self.autosavesInPlace, hasUnautosavedChanges else { return completionHandler(nil) }
        saveInPlace(completionHandler)
    }

    /// The `async` form.
    public final func autosave(withImplicitCancellability autosavingIsImplicitlyCancellable: Bool) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            autosave(withImplicitCancellability: autosavingIsImplicitlyCancellable) { done.resume(failing: $0) }
        }
    }

    /// The last copy of unsaved changes.
    open var autosavedContentsFileURL: URL?

    /// The file's modification date when last read or written.
    open var fileModificationDate: Date?

    /// The alphabetically first extension of the type; nil if any is allowed.
    open func fileNameExtension(forType typeName: String, saveOperation: SaveOperationType) -> String? {
        (controller ?? .shared).fileExtension(ofType: typeName)
    }

    private func hasReadFile() {
        hasRead()
        let attributes = fileURL.flatMap { try? FileManager.default.attributesOfItem(atPath: $0.path) }
        fileModificationDate = attributes?[.modificationDate] as? Date
    }

    /// Replaces the document's content with the file's.
    open func revert(toContentsOf url: URL, ofType typeName: String) throws {
        try read(from: url, ofType: typeName)
        fileType = typeName
        updateChangeCount(.changeCleared)
        if let fileURL, FilePlace(fileURL) == FilePlace(url) { hasReadFile() }
    }

    /// Whether closing the last window saves without asking. False by default. If that fails, the document stays open.
    open class var autosavesInPlace: Bool { false }

    /// Whether a document that was never saved has an automatic activity, and is saved to a hidden folder of the app's
    /// container, `Documents/.drafts`, before it is sent. False by default.
    open class var autosavesDrafts: Bool { false }

    /// Whether the user has never saved the file, here or on the origin device.
    public final var isDraft: Bool {
        guard savesDrafts, let place, let folder = draftsFolder.flatMap(FilePlace.init) else { return false }
        return place.isWithin(folder)
    }

    private var draftsFolder: URL? {
        center.knownDocumentsFolder?.appending(path: ".drafts", directoryHint: .isDirectory)
    }

    /// Shown to the user; "Untitled" for a draft.
    open override var displayName: String { isDraft ? "Untitled" : super.displayName }

    /// Whether there are unsaved changes.
    open var isDocumentEdited: Bool { changes != 0 }

    /// Whether there are changes neither saved nor copied.
    open var hasUnautosavedChanges: Bool { unautosavedChanges != 0 }

    /// Adds, removes or clears changes.
    open func updateChangeCount(_ change: ChangeType) {
        switch change {
        case .changeDone, .changeRedone, .changeReadOtherContents: count(1)
        case .changeUndone: count(-1)
        case .changeCleared: (changes, unautosavedChanges) = (0, 0)
        case .changeAutosaved: unautosavedChanges = 0
        case .changeDiscardable: break
        }
    }

    private func count(_ difference: Int) {
        changes += difference
        unautosavedChanges += difference
    }

    /// A token for the changes so far, for `updateChangeCount(withToken:for:)` once they are on disk.
    open func changeCountToken(for saveOperation: SaveOperationType) -> Any { changes }

    /// Marks the changes up to the token as saved.
    open func updateChangeCount(withToken changeCountToken: Any, for saveOperation: SaveOperationType) {
        guard let saved = changeCountToken as? Int else { return }
        unautosavedChanges = changes - saved
        if saveOperation != .autosaveElsewhereOperation, saveOperation != .saveToOperation { changes -= saved }
    }

    override func lastWindowWasClosed() {
        guard Self.autosavesInPlace, isDocumentEdited, fileURL != nil else { return close() }
        saveInPlace { error in
            guard let error else { return self.close() }
            // The document stays open: it holds unsaved changes.
            self.controller?.presentError(error)
        }
    }

    override func load(from url: URL, ofType typeName: String, done: @escaping @MainActor ((any Error)?) -> Void) {
        do {
            try read(from: url, ofType: typeName)
        } catch {
            return done(error)
        }
        super.load(from: url, ofType: typeName) { error in
            self.hasReadFile()
            done(error)
        }
    }

    // MARK: Other programs and devices

    override var hasChanges: Bool { isDocumentEdited }
    override var savesDrafts: Bool { Self.autosavesDrafts }
    override func follow(to url: URL) { fileURL = url }

    override func saveChanges(_ done: @escaping @MainActor ((any Error)?) -> Void) {
        guard Self.autosavesInPlace || isDraft, isDocumentEdited else { return done(nil) }
        saveInPlace { done($0) }
    }

    override func prepareToGo(_ done: @escaping @MainActor @Sendable ((any Error)?) -> Void) {
        guard fileURL == nil, savesDrafts, let draftsFolder else { return saveChanges(done) }
        let files = FileManager.default
        let failure = error(of: { try files.createDirectory(at: draftsFolder, withIntermediateDirectories: true) })
        if let failure { return done(failure) }
        // Two devices must not create the same name.
        let name = "\(displayName) \(UUID().uuidString.prefix(8))"
        let ending = fileNameExtension(forType: fileType ?? "", saveOperation: .autosaveAsOperation)
        let draft = draftsFolder.appending(path: name + (ending.map { "." + $0 } ?? ""))
        save(at: draft, for: .autosaveAsOperation) { done($0) }
    }

    override func readAgain() {
        guard let fileURL else { return }
        if let error = error(of: { try revert(toContentsOf: fileURL, ofType: fileType ?? "") }) {
            controller?.presentError(error)
        }
    }

    private func error(of work: () throws -> Void) -> (any Error)? {
        do { try work() } catch { return error }
        return nil
    }
}

extension CheckedContinuation<Void, any Error> {
    func resume(failing error: (any Error)?) {
        if let error { resume(throwing: error) } else { resume() }
    }
}
