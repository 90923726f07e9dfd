// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff
internal import HandoffWire

/// Manages the app's open documents and opens others.
///
/// The document types are those of the app's `Info.plist`. The app registers how a document is created:
///
/// ```swift
/// UIApplication.shared.documentController.register(forType: "Letter") { _ in Letter() }
/// ```
/// or names a class that inherits from ``NSDocument`` there as `NSDocumentClass`.
///
/// A document activity from another device is opened here if the application delegate does not continue it.
@preconcurrency @MainActor
open class NSDocumentController: NSObject {
    /// The application's controller.
    public static var shared: NSDocumentController { UIApplication.shared.documentController }

    /// In the order in which they were opened.
    public private(set) final var documents: [HandoffDocument] = []
    /// The first matching type is used.
    public final var documentTypes: [HandoffDocumentType]
    private var makers: [String: @MainActor (URL) throws -> HandoffDocument] = [:]
    private let center = ActivityCenter.current
    /// The pending requests for documents that are being read.
    private var opening: [URL: [(display: Bool, done: OpenHandler)]] = [:]

    /// The result of opening: a document and whether it was already open, or an error.
    public typealias OpenHandler =
        @MainActor (
            _ document: HandoffDocument?, _ wasAlreadyOpen: Bool, _ error: (any Error)?
        ) -> Void

    /// Uses the types of the app's `Info.plist`.
    public override convenience init() { self.init(documentTypes: HandoffDocumentType.ofThisApp) }

    /// Uses these types.
    public init(documentTypes: [HandoffDocumentType]) {
        self.documentTypes = documentTypes
        super.init()
    }

    /// Registers how a document of the type is created. `make` receives the file's URL and does not read the file.
    public final func register(forType typeName: String, make: @escaping @MainActor (URL) throws -> HandoffDocument) {
        makers[typeName] = make
    }

    // MARK: Types

    /// The name of the file's type, by its extension. Throws `CocoaError.fileReadUnknown` if no type is declared for
    /// it.
    open func typeForContents(of url: URL) throws -> String {
        guard let type = documentTypes.first(where: { $0.fits(extension: url.pathExtension) }) else {
            throw CocoaError(.fileReadUnknown, userInfo: [NSURLErrorKey: url])
        }
        return type.name
    }

    /// Creates a document for the file without reading it. Throws `CocoaError.featureUnsupported` if nothing is
    /// registered for the type and its class is missing or cannot be instantiated.
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

    /// Whether the user's other devices have this location under an address that they understand. If so, a document
    /// here has an automatic activity, which contains its location. The default is true inside this app's containers.
    /// Called when a document is opened or moved, when its window or the app moves to the front, and when another
    /// device requests the document.
    open func isShared(_ url: URL) -> Bool { FilePlace(url).map(center.isKnownInContainer) ?? false }

    func automaticActivityType(of document: HandoffDocument) -> String? {
        guard let name = documentTypes.first(where: { $0.name == document.fileType })?.userActivityType,
            (try? ActivityType(name)) != nil
        else { return nil }
        let isToGo = document.fileURL.map(isShared) ?? (document.savesDrafts && center.knownDocumentsFolder != nil)
        return isToGo ? name : nil
    }

    /// The app's containers have changed or have become known.
    final func containersChanged() {
        for document in documents {
            document.userActivity?.needsSave = true
            document.updateAutomaticActivity()
        }
    }

    /// The extension of files of that type; nil if any is allowed.
    final func fileExtension(ofType typeName: String) -> String? {
        documentTypes.first { $0.name == typeName }?.extensions.filter { $0 != "*" }.min()
    }

    // MARK: Documents

    /// Adds an open document. No effect if it is already added.
    open func addDocument(_ document: HandoffDocument) {
        guard !documents.contains(where: { $0 === document }) else { return }
        documents.append(document)
        document.controller = self
        document.updateAutomaticActivity()
    }

    /// Removes a closed document; `HandoffDocument.close()` calls this.
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

    /// Opens the file, or finds its open document. If `displayDocument` is true, its windows are shown.
    /// `completionHandler` is called once, on the main thread.
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

    /// Opens the file, or finds its open document.
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

    /// Waits for the delivery of a document that has not arrived yet.
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

    /// Reports that a document could not be opened or saved. The default uses ``UIApplication/continuationDisplay``, as
    /// for errors of a continuation.
    open func presentError(_ error: any Error) {
        UIApplication.shared.display.showFailure(error, ofActivityType: "", in: nil)
    }

    // MARK: Continuing

    /// Opens the document that was delivered with the activity and restores the activity in it. False if there is no
    /// such document or this app cannot open it.
    final func continueDocument(of activity: NSUserActivity) -> Bool {
        guard let url = activity.deliveredDocumentURL else { return false }
        return openKnown(url) { $0.restoreUserActivityState(activity) }
    }

    /// Opens the file and reports errors. False if this app cannot open its type.
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
    /// The document that was delivered with the activity. Another device must not choose a local file, so a URL is
    /// accepted only if this continuation delivered it.
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
