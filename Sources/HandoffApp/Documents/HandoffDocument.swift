// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// A document of the app: the common part of ``NSDocument`` and ``UIDocument``, which add reading and writing.
///
/// A document can have an activity, like a responder. Its state contains the document's location, `fileURL`, under
/// `NSUserActivityDocumentURLKey`, if the user's other devices share that location
/// (``NSDocumentController/isShared(_:)``). A subclass adds the user's position in it:
///
/// ```swift
/// final class Letter: NSDocument {
///     var text = ""
///     var line = 0 { didSet { userActivity?.needsSave = true } }
///
///     override func read(from data: Data, ofType typeName: String) throws {
///         text = String(decoding: data, as: UTF8.self)
///     }
///
///     override func updateUserActivityState(_ userActivity: NSUserActivity) {
///         super.updateUserActivityState(userActivity)
///         userActivity.addUserInfoEntries(from: ["line": line])
///     }
///
///     override func restoreUserActivityState(_ userActivity: NSUserActivity) {
///         super.restoreUserActivityState(userActivity)
///         line = userActivity.userInfo?["line"] as? Int ?? 0
///     }
/// }
/// ```
///
/// With the rule ``HandoffCurrentActivityRule/mainWindow``, the document's activity is current while one of its windows
/// is the main window. Without windows, or with the other rule, share it with a view controller or call
/// `becomeCurrent()`.
///
/// The document presents its file (`NSFilePresenter`). Before a version from another device replaces the file, the
/// document saves its changes; afterwards it reads the new version.
@preconcurrency @MainActor
open class HandoffDocument: NSObject, NSUserActivityRestoring, UserActivityUpdating, NSFilePresenter {
    nonisolated let slot = ActivitySlot(isAboutFile: true)
    nonisolated let center = ActivityCenter.current
    nonisolated let location: Lock<URL?>
    nonisolated let presenterQueue = OperationQueue()
    /// The file on disk, so that a renamed file is found.
    var held: HeldPlace?
    /// As last read or written by this document.
    var seen: FileStamp?
    /// Created by the framework because of the document's type.
    private weak var automaticActivity: NSUserActivity?
    weak var controller: NSDocumentController?

    /// The name of the type in the app's `Info.plist`; nil if the type is not declared.
    open var fileType: String? {
        didSet { updateAutomaticActivity() }
    }

    init(location: URL?) {
        self.location = Lock(location)
        super.init()
        slot.holder = self
        presenterQueue.maxConcurrentOperationCount = 1
    }

    /// Also used to instantiate a class by its name.
    override init() {
        location = Lock(nil)
        super.init()
        slot.holder = self
        presenterQueue.maxConcurrentOperationCount = 1
    }

    // MARK: Activity

    /// The document's activity; nil for none. It may be used on any thread. It is managed as that of a ``UIResponder``
    /// is.
    nonisolated open var userActivity: NSUserActivity? {
        get { slot.activity }
        set {
            slot.activity = newValue
            // Does not call the owners for updates, because that would clear the app's entries.
            if let newValue, let url = sharedURL { newValue.addDocumentURL(url) }
        }
    }

    /// Puts the document's part of the state into the activity, on the main thread; see
    /// ``UIResponder/updateUserActivityState(_:)``. The default adds `fileURL` if the location is shared. Call super.
    open func updateUserActivityState(_ userActivity: NSUserActivity) {
        if let url = sharedURL { userActivity.addDocumentURL(url) }
    }

    /// The document's location, if other devices may learn it. An open document is not shared automatically.
    private nonisolated var sharedURL: URL? {
        guard let url = location.withLock({ $0 }) else { return nil }
        // The app's override can be called only on its main thread.
        let isShared =
            MainThread.isCurrent
            ? MainActor.assumeIsolated { knownController?.isShared(url) }
            : FilePlace(url).map(center.isKnownInContainer)
        return isShared ?? false ? url : nil
    }

    private var knownController: NSDocumentController? {
        controller ?? (center.handler as? UIApplication)?.documentController
    }

    /// Restores the document's state from the activity, on the main thread, after the document was opened. Call super.
    open func restoreUserActivityState(_ userActivity: NSUserActivity) {}

    /// See ``UIResponder/observeUserActivity(_:)``.
    nonisolated public func observeUserActivity(
        _ onChange: @escaping @Sendable (NSUserActivity?) -> Void
    ) -> HandoffUserActivityObservation {
        slot.observe(onChange)
    }

    /// See ``UIResponder/userActivityChanges``.
    nonisolated public var userActivityChanges: AsyncStream<NSUserActivity?> { slot.changes }

    // MARK: Location

    /// Nil if the document was never saved.
    open var fileURL: URL? { location.withLock { $0 } }

    /// Changes the location. The activity is updated when it is requested.
    final func move(to url: URL?) {
        let isNews = location.withLock { location in
            defer { location = url }
            return location != url
        }
        hold()
        present(url != nil)
        guard isNews else { return }
        userActivity?.needsSave = true
        updateAutomaticActivity()
        automaticActivity?.title = displayName
    }

    /// The name of the file, shown to the user.
    open var displayName: String { fileURL?.deletingPathExtension().lastPathComponent ?? "Untitled" }

    /// Manages the automatic activity. A document whose type has `NSUbiquitousDocumentUserActivityType` has one while
    /// its location is shared with the user's other devices.
    final func updateAutomaticActivity() {
        guard let type = controller?.automaticActivityType(of: self) else {
            if let automaticActivity, userActivity === automaticActivity { userActivity = nil }
            return automaticActivity = nil
        }
        guard userActivity == nil else { return }
        let activity = NSUserActivity(activityType: type, center: center)
        activity.title = displayName
        // No app code fills this activity.
        activity.needsSave = true
        automaticActivity = activity
        userActivity = activity
    }

    // MARK: Windows

    /// Retained by the document.
    public private(set) final var windowControllers: [NSWindowController] = []

    /// The controller leaves its previous document.
    open func addWindowController(_ windowController: NSWindowController) {
        guard windowController.document !== self else { return }
        windowController.document?.removeWindowController(windowController)
        windowControllers.append(windowController)
        windowController.document = self
    }

    /// The controller no longer shows this document. The document stays open.
    open func removeWindowController(_ windowController: NSWindowController) {
        guard windowController.document === self else { return }
        windowController.document = nil
        windowControllers.removeAll { $0 === windowController }
    }

    /// Creates the window controllers with `addWindowController(_:)`. The default does nothing.
    open func makeWindowControllers() {}

    /// Opens the document's windows.
    open func showWindows() {
        for controller in windowControllers { controller.showWindow(self) }
    }

    func windowWasClosed(of windowController: NSWindowController) {
        removeWindowController(windowController)
        if windowControllers.isEmpty { lastWindowWasClosed() }
    }

    func lastWindowWasClosed() { close() }

    // MARK: File access by other programs

    // Called in the background, on `presentedItemOperationQueue`. A subclass that overrides one of these calls super.

    /// Equal to `fileURL`.
    nonisolated open var presentedItemURL: URL? { location.withLock { $0 } }
    /// Runs in the background, one call at a time.
    nonisolated open var presentedItemOperationQueue: OperationQueue { presenterQueue }

    nonisolated open func relinquishPresentedItem(toReader reader: @escaping @Sendable ((() -> Void)?) -> Void) {
        reader(nil)
    }

    nonisolated open func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((() -> Void)?) -> Void) {
        onMainThread { $0.setPaused(true) }
        writer { self.onMainThread { $0.setPaused(false) } }
    }

    /// Saves, if the document saves without asking.
    nonisolated open func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        onMainThread { $0.saveChanges(completionHandler) }
    }

    /// Closes the document; unsaved changes are lost.
    nonisolated open func accommodatePresentedItemDeletion(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        onMainThread { document in
            document.close()
            completionHandler(nil)
        }
    }

    // Final, so that a subclass that implements only the async form does not compile: it would never be called.

    /// Calls the form with a handler, which a subclass overrides.
    nonisolated public final func savePresentedItemChanges() async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            savePresentedItemChanges { done.resume(failing: $0) }
        }
    }

    /// Calls the form with a handler, which a subclass overrides.
    nonisolated public final func accommodatePresentedItemDeletion() async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            accommodatePresentedItemDeletion { done.resume(failing: $0) }
        }
    }

    /// Changes the document's location.
    nonisolated open func presentedItemDidMove(to newURL: URL) { onMainThread { $0.follow(to: newURL) } }
    /// Reads the file again. If there are unsaved changes, the file's version is kept as a copy next to it when they
    /// are saved.
    nonisolated open func presentedItemDidChange() { onMainThread { $0.fileChanged() } }
    /// Does nothing.
    nonisolated open func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) {}
    nonisolated open func presentedItemDidGain(_ version: NSFileVersion) { onMainThread { $0.versionsChanged() } }
    nonisolated open func presentedItemDidLose(_ version: NSFileVersion) { onMainThread { $0.versionsChanged() } }
    nonisolated open func presentedItemDidResolveConflict(_ version: NSFileVersion) {
        onMainThread { $0.versionsChanged() }
    }

    // MARK: Overridden by NSDocument and UIDocument

    var hasChanges: Bool { false }
    /// Saves the changes, if the document saves without asking. `done` is called once, on the main thread.
    func saveChanges(_ done: @escaping @MainActor ((any Error)?) -> Void) { done(nil) }
    /// Called before the file is sent to another device.
    func prepareToGo(_ done: @escaping @MainActor @Sendable ((any Error)?) -> Void) { saveChanges(done) }
    /// Whether a document without a location is saved before it is sent to another device.
    var savesDrafts: Bool { false }
    /// The file's content has changed, and there are no unsaved changes.
    func readAgain() {}
    func versionsChanged() {}
    /// If true, the file must not be written for now.
    func setPaused(_ isPaused: Bool) {}
    /// Another program renamed or moved the file.
    func follow(to url: URL) { move(to: url) }

    // MARK: Lifetime

    /// Reads the document for the ``NSDocumentController``. `done` is called once, on the main thread.
    func load(from url: URL, ofType typeName: String, done: @escaping @MainActor ((any Error)?) -> Void) {
        move(to: url)
        fileType = typeName
        done(nil)
    }

    /// Closes the document and its windows, and ends its activity for all owners. Do not use the document afterwards.
    open func close() { end() }

    final func end() {
        controller?.removeDocument(self)
        present(false)
        held = nil
        if let activity = userActivity {
            userActivity = nil
            activity.invalidate()
        }
        for windowController in windowControllers {
            removeWindowController(windowController)
            windowController.close()
        }
    }
}

extension HandoffDocument: ChangesHolder {
    package nonisolated func saysWhetherItHasChanges(_ answer: @escaping @Sendable (Bool) -> Void) {
        onMainThread { answer($0.hasChanges) }
    }
}

extension NSUserActivity {
    fileprivate func addDocumentURL(_ url: URL) {
        addUserInfoEntries(from: [NSUserActivityDocumentURLKey: url])
    }
}
