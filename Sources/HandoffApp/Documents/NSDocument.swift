// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff

/// A document as AppKit has it: its place may change, and reading is done in one go.
@preconcurrency @MainActor
open class NSDocument: Document {
    /// What was done to the document.
    public enum ChangeType: Sendable, Hashable {
        case changeDone, changeUndone, changeRedone, changeCleared, changeReadOtherContents, changeAutosaved
    }

    private var changes = 0

    /// A new document, which lies nowhere yet.
    public override init() { super.init() }

    /// Reads what lies there.
    public init(contentsOf url: URL, ofType typeName: String) throws {
        super.init(location: url)
        fileType = typeName
        try read(from: url, ofType: typeName)
        hasRead()
        present(true)
    }

    /// Nil for one that was never saved. A change sets the activity's `needsSave`.
    open override var fileURL: URL? {
        get { super.fileURL }
        set { move(to: newValue) }
    }

    // MARK: Reading and writing

    /// Reads the document from a file. The default reads its bytes and calls `read(from:ofType:)` with them.
    open func read(from url: URL, ofType typeName: String) throws {
        try read(from: try Data(contentsOf: url), ofType: typeName)
    }

    /// Reads the document from bytes, which come from outside. The default throws: a subclass overrides this or the one with
    /// a URL.
    open func read(from data: Data, ofType typeName: String) throws {
        throw CocoaError(.featureUnsupported)
    }

    /// What to write to the file. The default throws: a subclass overrides this or `write(to:ofType:)`.
    open func data(ofType typeName: String) throws -> Data {
        throw CocoaError(.featureUnsupported)
    }

    /// Writes the document to a file, which is there as a whole or not at all.
    open func write(to url: URL, ofType typeName: String) throws {
        try data(ofType: typeName).write(to: url, options: .atomic)
    }

    /// Writes the document there, and has it lie there from now on. What another device has put there meanwhile is kept as a
    /// copy beside it, and a draft that is saved elsewhere is one no more.
    open func save(to url: URL, ofType typeName: String) throws {
        let draft = isDraft ? fileURL : nil
        if let target = FilePlace(url) { try center.keepUnreadVersion(at: target) }
        try write(to: url, ofType: typeName)
        fileType = typeName
        fileURL = url
        updateChangeCount(.changeCleared)
        hasRead()
        if let place { center.wasWritten(place, by: self) }
        guard let draft, FilePlace(draft) != place else { return }
        try? FileManager.default.removeItem(at: draft)
    }

    /// Reads what lies there in the place of what the document has.
    open func revert(toContentsOf url: URL, ofType typeName: String) throws {
        try read(from: url, ofType: typeName)
        fileType = typeName
        updateChangeCount(.changeCleared)
        if let fileURL, FilePlace(fileURL) == FilePlace(url) { hasRead() }
    }

    /// Whether changes are saved without asking when its last window is closed, where the document lies. The default says
    /// no. A document that could not be saved stays open.
    open class var autosavesInPlace: Bool { false }

    /// Whether a document that was never saved is saved to a hidden folder of the app's container, `Documents/.drafts`, when
    /// it is about to go to another device. It has an activity by itself then, as one in the container has. The default says
    /// no: without a place there is no activity.
    open class var autosavesDrafts: Bool { false }

    /// It lies among the drafts: its user has never saved it, here or on the device that it comes from.
    public final var isDraft: Bool {
        guard savesDrafts, let place, let folder = draftsFolder.flatMap(FilePlace.init) else { return false }
        return place.isWithin(folder)
    }

    private var draftsFolder: URL? {
        center.knownDocumentsFolder?.appending(path: ".drafts", directoryHint: .isDirectory)
    }

    /// Shown to the user: the name of its file; "Untitled" where the user has given it none.
    open override var displayName: String { isDraft ? "Untitled" : super.displayName }

    /// Whether there are changes that were not saved.
    open var isDocumentEdited: Bool { changes != 0 }

    /// Counts a change, takes one back, or starts anew.
    open func updateChangeCount(_ change: ChangeType) {
        switch change {
        case .changeDone, .changeRedone, .changeReadOtherContents: changes += 1
        case .changeUndone: changes -= 1
        case .changeCleared, .changeAutosaved: changes = 0
        }
    }

    override func lastWindowWasClosed() {
        if Self.autosavesInPlace, isDocumentEdited, let fileURL {
            do {
                try save(to: fileURL, ofType: fileType ?? "")
            } catch {
                // It stays open, without a window: what is not on the disk is here.
                controller?.presentError(error)
                return
            }
        }
        close()
    }

    override func load(from url: URL, ofType typeName: String, done: @escaping @MainActor ((any Error)?) -> Void) {
        do {
            try read(from: url, ofType: typeName)
        } catch {
            return done(error)
        }
        super.load(from: url, ofType: typeName) { error in
            self.hasRead()
            done(error)
        }
    }

    // MARK: Others, and other devices

    override var hasChanges: Bool { isDocumentEdited }
    override var savesDrafts: Bool { Self.autosavesDrafts }
    override func follow(to url: URL) { fileURL = url }

    override func saveChanges(_ done: @escaping @MainActor ((any Error)?) -> Void) {
        guard Self.autosavesInPlace || isDraft, isDocumentEdited, let fileURL else { return done(nil) }
        done(error(of: { try save(to: fileURL, ofType: fileType ?? "") }))
    }

    override func prepareToGo(_ done: @escaping @MainActor ((any Error)?) -> Void) {
        guard fileURL == nil, savesDrafts, let draftsFolder else { return saveChanges(done) }
        done(error(of: { try saveDraft(in: draftsFolder) }))
    }

    private func saveDraft(in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let type = fileType ?? ""
        // No two devices make one of the same name.
        let name = "\(displayName) \(UUID().uuidString.prefix(8))"
        let ending = controller?.fileExtension(ofType: type).map { "." + $0 } ?? ""
        try save(to: folder.appending(path: name + ending), ofType: type)
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
