// SPDX-License-Identifier: Apache-2.0

public import Foundation

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

    /// Writes the document there, and has it lie there from now on.
    open func save(to url: URL, ofType typeName: String) throws {
        try write(to: url, ofType: typeName)
        fileType = typeName
        fileURL = url
        updateChangeCount(.changeCleared)
    }

    /// Whether changes are saved without asking when its last window is closed, where the document lies. The default says
    /// no. A document that could not be saved stays open.
    open class var autosavesInPlace: Bool { false }

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
        super.load(from: url, ofType: typeName, done: done)
    }
}
