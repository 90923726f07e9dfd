// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff

/// A document as UIKit has it: it is made for a file, and read and written in the background.
///
/// Its activity is not made current by itself: share it with a view controller, or call `becomeCurrent()`.
@preconcurrency @MainActor
open class UIDocument: Document {
    /// The key under which an activity names its document.
    nonisolated open class var userActivityURLKey: String { NSUserActivityDocumentURLKey }

    /// What is with a document.
    public struct State: OptionSet, Sendable, Hashable {
        /// As UIKit numbers them.
        public let rawValue: UInt
        /// Bits without a name are kept and mean nothing.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Open, and nothing is wrong.
        public static let normal: State = []
        /// Not open, or not any more.
        public static let closed = State(rawValue: 1 << 0)
        /// The last saving failed.
        public static let savingError = State(rawValue: 1 << 2)
    }

    /// What was done to the document.
    public enum ChangeKind: Sendable, Hashable { case done, undone, redone, cleared }

    /// Whether a file is written for the first time.
    public enum SaveOperation: Sendable, Hashable { case forCreating, forOverwriting }

    /// Closed until it was opened.
    public private(set) final var documentState: State = .closed
    private var changes = 0
    private let firstURL: URL

    /// For what lies there, or is to be written there. Reads nothing yet.
    public init(fileURL url: URL) {
        firstURL = url
        super.init(location: url)
    }

    /// Where it lies.
    open override var fileURL: URL { super.fileURL ?? firstURL }

    /// Shown to the user.
    open var localizedName: String { displayName }

    // MARK: For a subclass

    /// Takes what was read: `Data`. Called on the main thread. The default takes nothing.
    open func load(fromContents contents: Any, ofType typeName: String?) throws {}

    /// What to write: `Data`. Called on the main thread. The default throws.
    open func contents(forType typeName: String) throws -> Any { throw CocoaError(.featureUnsupported) }

    /// Reading or writing failed. The default does nothing.
    open func handleError(_ error: any Error, userInteractionPermitted: Bool) {}

    // MARK: Opening, saving, closing

    /// Reads the file in the background. `completionHandler` is called on the main thread.
    open func open(completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        read { error in
            if let error { self.handleError(error, userInteractionPermitted: true) }
            completionHandler?(error == nil)
        }
    }

    /// Writes the document in the background. `completionHandler` is called on the main thread.
    open func save(
        to url: URL, for saveOperation: SaveOperation, completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        do {
            guard let data = try contents(forType: fileType ?? "") as? Data else {
                throw CocoaError(.featureUnsupported)
            }
            let saved = changes
            inBackground({ try data.write(to: url, options: .atomic) }) { result in
                switch result {
                case .success:
                    self.changes -= saved
                    self.documentState.remove(.savingError)
                    if saveOperation == .forCreating { self.documentState.remove(.closed) }
                    self.move(to: url)
                case .failure(let error): self.savingFailed(error)
                }
                completionHandler?(!self.documentState.contains(.savingError))
            }
        } catch {
            savingFailed(error)
            completionHandler?(false)
        }
    }

    /// Reads the file in the background. False if that failed, after `handleError`.
    @discardableResult
    public final func open() async -> Bool {
        await withCheckedContinuation { done in open { done.resume(returning: $0) } }
    }

    /// Writes the document in the background. False if that failed, after `handleError`.
    @discardableResult
    public final func save(to url: URL, for saveOperation: SaveOperation) async -> Bool {
        await withCheckedContinuation { done in save(to: url, for: saveOperation) { done.resume(returning: $0) } }
    }

    /// Saves what is not saved, and ends the document. False if that failed, after `handleError`; then it stays open.
    @discardableResult
    public final func close() async -> Bool {
        await withCheckedContinuation { done in close(completionHandler: { done.resume(returning: $0) }) }
    }

    private func savingFailed(_ error: any Error) {
        documentState.insert(.savingError)
        handleError(error, userInteractionPermitted: true)
    }

    /// Whether there are changes that were not saved.
    open var hasUnsavedChanges: Bool { changes != 0 }

    /// Counts a change, takes one back, or starts anew.
    open func updateChangeCount(_ change: ChangeKind) {
        switch change {
        case .done, .redone: changes += 1
        case .undone: changes -= 1
        case .cleared: changes = 0
        }
    }

    /// Saves what is not saved, and ends the document, its windows and its activity. If saving failed it stays open.
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

    /// Ends the document without saving; see `close(completionHandler:)`.
    open override func close() {
        documentState.insert(.closed)
        super.close()
    }

    override func lastWindowWasClosed() { close(completionHandler: nil) }

    override func load(from url: URL, ofType typeName: String, done: @escaping @MainActor ((any Error)?) -> Void) {
        fileType = typeName
        read(done)
    }

    private func read(_ done: @escaping @MainActor ((any Error)?) -> Void) {
        let url = fileURL
        inBackground({ try Data(contentsOf: url) }) { result in
            do {
                try self.load(fromContents: try result.get(), ofType: self.fileType)
                self.documentState.remove(.closed)
                done(nil)
            } catch {
                done(error)
            }
        }
    }

    private func inBackground<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value,
        then: @escaping @MainActor (Result<Value, any Error>) -> Void
    ) {
        let application = Application.shared
        DispatchQueue.global().async {
            let result = Result { try work() }
            application.onMainThread { then(result) }
        }
    }
}
