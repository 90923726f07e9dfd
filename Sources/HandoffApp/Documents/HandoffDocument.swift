// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// The common part of ``NSDocument`` and ``UIDocument``, which add reading and writing.
///
/// Like a responder, a document can have an activity. If the user's devices share its location
/// (``NSDocumentController/isShared(_:)``), the activity contains `fileURL` under `NSUserActivityDocumentURLKey`. A
/// subclass adds the user's position:
///
/// ```swift
/// final class Letter: NSDocument {
///     var line = 0 { didSet { userActivity?.needsSave = true } }
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
/// With ``HandoffCurrentActivityRule/mainWindow``, the activity is current while the document has the main window.
/// Otherwise share it with a view controller or call `becomeCurrent()`.
///
/// As an `NSFilePresenter`, the document saves before another device's version replaces the file, then reads it.
@preconcurrency @MainActor
open class HandoffDocument: NSObject, NSUserActivityRestoring, UserActivityUpdating, NSFilePresenter {
    nonisolated let slot = ActivitySlot(isAboutFile: true)
    nonisolated let center = ActivityCenter.current
    nonisolated let location: Lock<URL?>
    nonisolated let presenterQueue = OperationQueue()
    var held: HeldPlace?
    /// The file's stamp when last read or written.
    var seen: FileStamp?
    private weak var automaticActivity: NSUserActivity?
    weak var controller: NSDocumentController?

    /// The name of its type in the `Info.plist`; nil if undeclared.
    open var fileType: String? {
        didSet { updateAutomaticActivity() }
    }

    init(location: URL?) {
        self.location = Lock(location)
        super.init()
        slot.holder = self
        presenterQueue.maxConcurrentOperationCount = 1
    }

    /// Also instantiates a class by name.
    override init() {
        location = Lock(nil)
        super.init()
        slot.holder = self
        presenterQueue.maxConcurrentOperationCount = 1
    }

    // MARK: Activity

    /// Managed like a ``UIResponder``'s. May be used on any thread.
    nonisolated open var userActivity: NSUserActivity? {
        get { slot.activity }
        set {
            slot.activity = newValue
            // Does not call the owners, which would clear the app's entries.
            if let newValue, let url = sharedURL { newValue.addDocumentURL(url) }
        }
    }

    /// Adds the document's state, including `fileURL` if shared; see ``UIResponder/updateUserActivityState(_:)``. Call
    /// super.
    open func updateUserActivityState(_ userActivity: NSUserActivity) {
        if let url = sharedURL { userActivity.addDocumentURL(url) }
    }

    /// Nil if other devices must not learn the location.
    private nonisolated var sharedURL: URL? {
        guard let url = location.withLock({ $0 }) else { return nil }
        // The app's override must run on the main thread.
        let isShared =
            MainThread.isCurrent
            ? MainActor.assumeIsolated { knownController?.isShared(url) }
            : FilePlace(url).map(center.isKnownInContainer)
        return isShared ?? false ? url : nil
    }

    private var knownController: NSDocumentController? {
        controller ?? (center.handler as? UIApplication)?.documentController
    }

    /// Restores the document's state on the main thread, once it is open. Call super.
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

    /// Nil if never saved.
    open var fileURL: URL? { location.withLock { $0 } }

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

    /// Shown to the user.
    open var displayName: String { fileURL?.deletingPathExtension().lastPathComponent ?? "Untitled" }

    /// For a type with `NSUbiquitousDocumentUserActivityType`, while the location is shared.
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

    /// The document stays open.
    open func removeWindowController(_ windowController: NSWindowController) {
        guard windowController.document === self else { return }
        windowController.document = nil
        windowControllers.removeAll { $0 === windowController }
    }

    /// Overrides call `addWindowController(_:)`.
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

    // Called on `presentedItemOperationQueue`. Overrides call super.

    /// Equal to `fileURL`.
    nonisolated open var presentedItemURL: URL? { location.withLock { $0 } }
    /// Serial, in the background.
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

    /// Closes the document and loses unsaved changes.
    nonisolated open func accommodatePresentedItemDeletion(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        onMainThread { document in
            document.close()
            completionHandler(nil)
        }
    }

    // Final, because an override of only the async form would never be called.

    /// Calls the form with a handler.
    nonisolated public final func savePresentedItemChanges() async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            savePresentedItemChanges { done.resume(failing: $0) }
        }
    }

    /// Calls the form with a handler.
    nonisolated public final func accommodatePresentedItemDeletion() async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            accommodatePresentedItemDeletion { done.resume(failing: $0) }
        }
    }

    /// Changes the document's location.
    nonisolated open func presentedItemDidMove(to newURL: URL) { onMainThread { $0.follow(to: newURL) } }
    /// Reads the file again. With unsaved changes, saving keeps a copy of the file's version.
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
    /// Only if it saves without asking. Calls `done` once, on the main thread.
    func saveChanges(_ done: @escaping @MainActor ((any Error)?) -> Void) { done(nil) }
    /// Called before the file is sent.
    func prepareToGo(_ done: @escaping @MainActor @Sendable ((any Error)?) -> Void) { saveChanges(done) }
    /// Whether a document without a location is saved before it is sent.
    var savesDrafts: Bool { false }
    func readAgain() {}
    func versionsChanged() {}
    /// While paused, the file must not be written.
    func setPaused(_ isPaused: Bool) {}
    /// Another program moved the file.
    func follow(to url: URL) { move(to: url) }

    // MARK: Lifetime

    /// `done` is called once, on the main thread.
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
