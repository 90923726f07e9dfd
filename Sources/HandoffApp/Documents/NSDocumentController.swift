// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff
internal import HandoffWire

/// The app's open documents, and how others are opened.
///
/// The kinds of documents are those of the app's `Info.plist`; the app says how one is made:
///
/// ```swift
/// UIApplication.shared.documentController.register(forType: "Letter") { _ in Letter() }
/// ```
/// or has `NSDocumentClass` there name a class that inherits from ``NSDocument``.
///
/// A document activity from another device that the application delegate does not continue is opened here.
@preconcurrency @MainActor
open class NSDocumentController: NSObject {
    /// That of the application.
    public static var shared: NSDocumentController { UIApplication.shared.documentController }

    /// In the order in which they were opened.
    public private(set) final var documents: [HandoffDocument] = []
    /// The first that fits counts.
    public final var documentTypes: [HandoffDocumentType]
    private var makers: [String: @MainActor (URL) throws -> HandoffDocument] = [:]
    private let center = ActivityCenter.current
    /// Who asked for a document while it is read.
    private var opening: [URL: [(display: Bool, done: OpenHandler)]] = [:]

    /// What came of opening: a document, and whether it was open before; or an error.
    public typealias OpenHandler =
        @MainActor (
            _ document: HandoffDocument?, _ wasAlreadyOpen: Bool, _ error: (any Error)?
        ) -> Void

    /// For the types of the app's `Info.plist`.
    public override convenience init() { self.init(documentTypes: HandoffDocumentType.ofThisApp) }

    /// For these types.
    public init(documentTypes: [HandoffDocumentType]) {
        self.documentTypes = documentTypes
        super.init()
    }

    /// Says how a document of that type is made. `make` gets the file's URL and does not read it.
    public final func register(forType typeName: String, make: @escaping @MainActor (URL) throws -> HandoffDocument) {
        makers[typeName] = make
    }

    // MARK: Types

    /// The name of the type of what lies there, by the file's extension. Throws `CocoaError.fileReadUnknown` for a file of no
    /// declared type.
    open func typeForContents(of url: URL) throws -> String {
        guard let type = documentTypes.first(where: { $0.fits(extension: url.pathExtension) }) else {
            throw CocoaError(.fileReadUnknown, userInfo: [NSURLErrorKey: url])
        }
        return type.name
    }

    /// A document for what lies there, not yet read. Throws `CocoaError.featureUnsupported` for a type that nothing was
    /// registered for and that names no class, or one that it cannot be made of.
    open func makeDocument(withContentsOf url: URL, ofType typeName: String) throws -> HandoffDocument {
        if let make = makers[typeName] { return try make(url) }
        guard let documentClass = try documentClass(ofType: typeName),
            let document = NewObject.of(documentClass) as? NSDocument
        else { throw CocoaError(.featureUnsupported, userInfo: [NSURLErrorKey: url]) }
        return document
    }

    /// That of the type's `NSDocumentClass`; nil where it names none.
    private func documentClass(ofType typeName: String) throws -> NSDocument.Type? {
        guard let name = documentTypes.first(where: { $0.name == typeName })?.documentClassName else { return nil }
        guard let documentClass = NamedClass.find(name) as? NSDocument.Type else {
            let problem =
                "\(name), the NSDocumentClass of \(typeName), is no class of this program that inherits from NSDocument; "
                + "it is Module.Class"
            throw CocoaError(.featureUnsupported, userInfo: [NSLocalizedDescriptionKey: problem])
        }
        return documentClass
    }

    private func canMakeDocument(ofType typeName: String) -> Bool {
        makers[typeName] != nil || documentTypes.contains { $0.name == typeName && $0.documentClassName != nil }
    }

    /// Whether the user's other devices have this place under an address that they understand. If they do, a document here
    /// gets an activity automatically, and its activity says where the document is. The default is true inside this app's
    /// containers. Asked when a document is opened or moved, when its window or the app moves to the front, and when another
    /// device wants the document.
    open func isShared(_ url: URL) -> Bool { FilePlace(url).map(center.isKnownInContainer) ?? false }

    func automaticActivityType(of document: HandoffDocument) -> String? {
        guard let name = documentTypes.first(where: { $0.name == document.fileType })?.userActivityType,
            (try? ActivityType(name)) != nil
        else { return nil }
        let isToGo = document.fileURL.map(isShared) ?? (document.savesDrafts && center.knownDocumentsFolder != nil)
        return isToGo ? name : nil
    }

    /// The app's containers are other ones, or are known now.
    final func containersChanged() {
        for document in documents {
            document.userActivity?.needsSave = true
            document.updateAutomaticActivity()
        }
    }

    /// What a file of that type is called after the dot; nil where any will do.
    final func fileExtension(ofType typeName: String) -> String? {
        documentTypes.first { $0.name == typeName }?.extensions.filter { $0 != "*" }.min()
    }

    // MARK: Documents

    /// The document is open from now on. One that is, is not added again.
    open func addDocument(_ document: HandoffDocument) {
        guard !documents.contains(where: { $0 === document }) else { return }
        documents.append(document)
        document.controller = self
        document.updateAutomaticActivity()
    }

    /// The document is not open any more; `HandoffDocument.close()` calls this.
    open func removeDocument(_ document: HandoffDocument) {
        documents.removeAll { $0 === document }
    }

    /// The open document that lies there.
    open func document(for url: URL) -> HandoffDocument? {
        let wanted = url.comparable
        return documents.first { $0.fileURL?.comparable == wanted }
    }

    /// The document of the main window.
    open var currentDocument: HandoffDocument? {
        documents.first { $0.windowControllers.contains { $0.window?.isMainWindow ?? false } }
    }

    // MARK: Opening

    /// Opens what lies there, or finds it open. `displayDocument`: in its windows. `completionHandler` is called on the main
    /// thread, once.
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

    /// Opens what lies there, or finds it open.
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

    /// What was delivered before it was here is waited for.
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

    /// Shows that a document could not be opened or saved: in the default as an error of a continuation is shown,
    /// ``UIApplication/continuationDisplay``.
    open func presentError(_ error: any Error) {
        UIApplication.shared.display.showFailure(error, ofActivityType: "", in: nil)
    }

    // MARK: Continuing

    /// Opens the document that was delivered with the activity and gives it the activity. False if there is none, or none
    /// that this app knows how to open.
    final func continueDocument(of activity: NSUserActivity) -> Bool {
        guard let url = activity.deliveredDocumentURL else { return false }
        return openKnown(url) { $0.restoreUserActivityState(activity) }
    }

    /// Opens what lies there, and shows why it could not be. False if this app does not know how to open it.
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
    /// The document that was delivered with the activity. Another device does not choose a file of this one: a URL names a
    /// document only if this continuation delivered it.
    var deliveredDocumentURL: URL? {
        guard let url = userInfo?[NSUserActivityDocumentURLKey] as? URL, let place = FilePlace(url), delivered(place)
        else { return nil }
        return url
    }
}

extension URL {
    /// Equal for one file.
    fileprivate var comparable: URL { standardizedFileURL.resolvingSymlinksInPath() }
}
