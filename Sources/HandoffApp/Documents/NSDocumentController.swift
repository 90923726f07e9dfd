// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff
internal import HandoffWire

/// Manages the app's open documents, with types from the `Info.plist`. The app registers how to create a document:
///
/// ```swift
/// UIApplication.shared.documentController.register(forType: "Letter") { _ in Letter() }
/// ```
/// or names a subclass of ``NSDocument`` there as `NSDocumentClass`.
///
/// Also opens the document of an activity that the application delegate does not continue.
@preconcurrency @MainActor
open class NSDocumentController: NSObject {
    /// The application's controller.
    public static var shared: NSDocumentController { UIApplication.shared.documentController }

    /// In the order of opening.
    public private(set) final var documents: [HandoffDocument] = []
    /// The first match is used.
    public final var documentTypes: [HandoffDocumentType]
    private var makers: [String: @MainActor (URL) throws -> HandoffDocument] = [:]
    private let center = ActivityCenter.current
    private var opening: [URL: [(display: Bool, done: OpenHandler)]] = [:]

    /// A document and whether it was already open, or an error. Called once, on the main thread.
    public typealias OpenHandler =
        @MainActor (
            _ document: HandoffDocument?, _ wasAlreadyOpen: Bool, _ error: (any Error)?
        ) -> Void

    /// Uses the types in the `Info.plist`.
    public override convenience init() { self.init(documentTypes: HandoffDocumentType.ofThisApp) }

    /// Uses these types.
    public init(documentTypes: [HandoffDocumentType]) {
        self.documentTypes = documentTypes
        super.init()
    }

    /// Registers how to create a document. `make` does not read the file.
    public final func register(forType typeName: String, make: @escaping @MainActor (URL) throws -> HandoffDocument) {
        makers[typeName] = make
    }

    // MARK: Types

    /// The name of the type declared for the extension. Throws `CocoaError.fileReadUnknown` if there is none.
    open func typeForContents(of url: URL) throws -> String {
        guard let type = documentTypes.first(where: { $0.fits(extension: url.pathExtension) }) else {
            throw CocoaError(.fileReadUnknown, userInfo: [NSURLErrorKey: url])
        }
        return type.name
    }

    /// Does not read the file. Throws `CocoaError.featureUnsupported` if the type has neither a registration nor a
    /// usable class.
    open func makeDocument(withContentsOf url: URL, ofType typeName: String) throws -> HandoffDocument {
        if let make = makers[typeName] { return try make(url) }
        guard let documentClass = try documentClass(ofType: typeName),
            let document = NewObject.of(documentClass) as? NSDocument
        else { throw CocoaError(.featureUnsupported, userInfo: [NSURLErrorKey: url]) }
        return document
    }

    private func documentClass(ofType typeName: String) throws -> NSDocument.Type? {
        guard let name = documentTypes.first(where: { $0.name == typeName })?.documentClassName else { return nil }
        guard let documentClass = NamedClass.find(name) as? NSDocument.Type else {
            let problem =
                "\(name), the NSDocumentClass of \(typeName), is not a class of this program that inherits from NSDocument; "
                + "write it as Module.Class"
            throw CocoaError(.featureUnsupported, userInfo: [NSLocalizedDescriptionKey: problem])
        }
        return documentClass
    }

    private func canMakeDocument(ofType typeName: String) -> Bool {
        makers[typeName] != nil || documentTypes.contains { $0.name == typeName && $0.documentClassName != nil }
    }

    /// Whether the user's other devices know this location. If so, documents here have an automatic activity that
    /// contains it. True by default in the app's containers. Called when a document is opened, moved or requested by
    /// another device, and when its window or the app moves to the front.
    open func isShared(_ url: URL) -> Bool { FilePlace(url).map(center.isKnownInContainer) ?? false }

    func automaticActivityType(of document: HandoffDocument) -> String? {
        guard let name = documentTypes.first(where: { $0.name == document.fileType })?.userActivityType,
            (try? ActivityType(name)) != nil
        else { return nil }
        let isToGo = document.fileURL.map(isShared) ?? (document.savesDrafts && center.knownDocumentsFolder != nil)
        return isToGo ? name : nil
    }

    final func containersChanged() {
        for document in documents {
            document.userActivity?.needsSave = true
            document.updateAutomaticActivity()
        }
    }

    /// Nil if any is allowed.
    final func fileExtension(ofType typeName: String) -> String? {
        documentTypes.first { $0.name == typeName }?.extensions.filter { $0 != "*" }.min()
    }

    // MARK: Documents

    /// Adds an open document, once.
    open func addDocument(_ document: HandoffDocument) {
        guard !documents.contains(where: { $0 === document }) else { return }
        documents.append(document)
        document.controller = self
        document.updateAutomaticActivity()
    }

    /// Called by `HandoffDocument.close()`.
    open func removeDocument(_ document: HandoffDocument) {
        documents.removeAll { $0 === document }
    }

    /// The open document of that file.
    open func document(for url: URL) -> HandoffDocument? {
        let wanted = url.comparable
        return documents.first { $0.fileURL?.comparable == wanted }
    }

    /// The document of the main window.
    open var currentDocument: HandoffDocument? {
        documents.first { $0.windowControllers.contains { $0.window?.isMainWindow ?? false } }
    }

    // MARK: Opening

    /// Opens the file, or finds its open document; shows its windows if `displayDocument`.
    open func openDocument(
        withContentsOf url: URL, display displayDocument: Bool, completionHandler: @escaping OpenHandler
    ) {
        if let document = document(for: url) {
            if displayDocument { show(document) }
            return completionHandler(document, true, nil)
        }
        let key = url.comparable
        if opening[key] != nil {
            opening[key]?.append((displayDocument, completionHandler))
            return
        }
        let document: HandoffDocument
        let type: String
        do {
            type = try typeForContents(of: url)
            document = try makeDocument(withContentsOf: url, ofType: type)
        } catch {
            return completionHandler(nil, false, error)
        }
        opening[key] = [(displayDocument, completionHandler)]
        load(document, from: url, ofType: type) { error in
            let waiting = self.opening.removeValue(forKey: key) ?? []
            if error == nil {
                self.addDocument(document)
                if waiting.contains(where: \.display) { self.show(document) }
            }
            for (number, waiter) in waiting.enumerated() {
                waiter.done(error == nil ? document : nil, error == nil && number > 0, error)
            }
        }
    }

    /// The `async` form.
    @discardableResult
    public final func openDocument(
        withContentsOf url: URL, display displayDocument: Bool
    ) async throws -> (document: HandoffDocument, wasAlreadyOpen: Bool) {
        try await withCheckedThrowingContinuation { continuation in
            openDocument(withContentsOf: url, display: displayDocument) { document, wasAlreadyOpen, error in
                if let document {
                    continuation.resume(returning: (document, wasAlreadyOpen))
                } else {
                    continuation.resume(throwing: error ?? CocoaError(.fileReadUnknown))
                }
            }
        }
    }

    /// First waits for the document's arrival.
    private func load(
        _ document: HandoffDocument, from url: URL, ofType type: String,
        done: @escaping @MainActor ((any Error)?) -> Void
    ) {
        guard let place = FilePlace(url), center.isPending(place) else {
            return document.load(from: url, ofType: type, done: done)
        }
        let application = UIApplication.shared
        center.download(place) { failure in
            application.onMainThread {
                guard let failure else { return document.load(from: url, ofType: type, done: done) }
                done(failure.cocoaError)
            }
        }
    }

    private func show(_ document: HandoffDocument) {
        if document.windowControllers.isEmpty { document.makeWindowControllers() }
        document.showWindows()
    }

    /// Reports a failure to open or save. The default uses ``UIApplication/continuationDisplay``.
    open func presentError(_ error: any Error) {
        UIApplication.shared.display.showFailure(error, ofActivityType: "", in: nil)
    }

    // MARK: Continuing

    /// False if no document was delivered or the app cannot open it.
    final func continueDocument(of activity: NSUserActivity) -> Bool {
        guard let url = activity.deliveredDocumentURL else { return false }
        return openKnown(url) { $0.restoreUserActivityState(activity) }
    }

    /// Reports errors. False if the app cannot open the type.
    final func openKnown(_ url: URL, then: @escaping @MainActor (HandoffDocument) -> Void = { _ in }) -> Bool {
        guard let type = try? typeForContents(of: url), canMakeDocument(ofType: type) else { return false }
        openDocument(withContentsOf: url, display: true) { document, _, error in
            if let document { then(document) }
            if let error { self.presentError(error) }
        }
        return true
    }
}

extension NSUserActivity {
    /// Only a URL that this continuation delivered: another device must not choose a local file.
    var deliveredDocumentURL: URL? {
        guard let url = userInfo?[NSUserActivityDocumentURLKey] as? URL, let place = FilePlace(url), delivered(place)
        else { return nil }
        return url
    }
}

extension URL {
    /// Equal for the same file.
    fileprivate var comparable: URL { standardizedFileURL.resolvingSymlinksInPath() }
}
