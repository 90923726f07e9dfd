// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// A document of the app: what is common to ``NSDocument`` and ``UIDocument``, which have the reading and writing.
///
/// A document can have an activity as a responder can. Its state is where the document is, `fileURL`, under
/// `NSUserActivityDocumentURLKey`, if the user's other devices have that place too (``NSDocumentController/isShared(_:)``). A
/// subclass adds where in it the user is:
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
/// With the rule ``HandoffCurrentActivityRule/mainWindow`` the document's activity is current while one of its windows is
/// the main one. Without windows, or with the other rule, share it with a view controller or call `becomeCurrent()`.
///
/// It presents its file (`NSFilePresenter`): when a version from another device takes the file's place, the document saves
/// what it has, and reads the new one.
@preconcurrency @MainActor
open class HandoffDocument: NSObject, NSUserActivityRestoring, UserActivityUpdating, NSFilePresenter {
    nonisolated let slot = ActivitySlot(isAboutFile: true)
    nonisolated let center = ActivityCenter.current
    nonisolated let location: Lock<URL?>
    /// Calls of a presenter, one at a time.
    nonisolated let presenterQueue = OperationQueue()
    /// What lies there, so that it is found when it was renamed.
    var held: HeldPlace?
    /// As this document read or wrote it.
    var seen: FileStamp?
    /// Made by the framework because of the document's type.
    private weak var automaticActivity: NSUserActivity?
    weak var controller: NSDocumentController?

    /// Of the app's own, as its `Info.plist` names it; nil for a document of no declared type.
    open var fileType: String? {
        didSet { updateAutomaticActivity() }
    }

    init(location: URL?) {
        self.location = Lock(location)
        super.init()
        slot.holder = self
        presenterQueue.maxConcurrentOperationCount = 1
    }

    /// Also how an object of a class is made that is known by its name.
    override init() {
        location = Lock(nil)
        super.init()
        slot.holder = self
        presenterQueue.maxConcurrentOperationCount = 1
    }

    // MARK: The activity

    /// An activity of this document; nil for none. To be used from any thread. Managed as that of a ``UIResponder`` is.
    nonisolated open var userActivity: NSUserActivity? {
        get { slot.activity }
        set {
            slot.activity = newValue
            // Without a round of updates, which would empty what the app has put in.
            if let newValue, let url = sharedURL { newValue.addDocumentURL(url) }
        }
    }

    /// Puts the document's part of the state into the activity, on the main thread; see
    /// ``UIResponder/updateUserActivityState(_:)``. The default puts in `fileURL`, if that place is shared. Call super.
    open func updateUserActivityState(_ userActivity: NSUserActivity) {
        if let url = sharedURL { userActivity.addDocumentURL(url) }
    }

    /// Where the document is, if its activity may say so: what is open here is not thereby for other devices.
    private nonisolated var sharedURL: URL? {
        guard let url = location.withLock({ $0 }) else { return nil }
        // An app's own answer can be had on its main thread alone.
        let isShared =
            MainThread.isCurrent
            ? MainActor.assumeIsolated { knownController?.isShared(url) }
            : FilePlace(url).map(center.isKnownInContainer)
        return isShared ?? false ? url : nil
    }

    private var knownController: NSDocumentController? {
        controller ?? (center.handler as? UIApplication)?.documentController
    }

    /// Brings the document to the state in the activity, on the main thread, after it was opened. Call super.
    open func restoreUserActivityState(_ userActivity: NSUserActivity) {}

    /// As ``UIResponder/observeUserActivity(_:)``.
    nonisolated public func observeUserActivity(
        _ onChange: @escaping @Sendable (NSUserActivity?) -> Void
    ) -> HandoffUserActivityObservation {
        slot.observe(onChange)
    }

    /// As ``UIResponder/userActivityChanges``.
    nonisolated public var userActivityChanges: AsyncStream<NSUserActivity?> { slot.changes }

    // MARK: Where it lies

    /// Nil for one that was never saved.
    open var fileURL: URL? { location.withLock { $0 } }

    /// The document lies there from now on; the activity is brought up to date when it is wanted.
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

    /// Shown to the user: the name of its file.
    open var displayName: String { fileURL?.deletingPathExtension().lastPathComponent ?? "Untitled" }

    /// A document whose type names an activity type (`NSUbiquitousDocumentUserActivityType`) has an activity by itself while
    /// it lies where the user's other devices have it too.
    final func updateAutomaticActivity() {
        guard let type = controller?.automaticActivityType(of: self) else {
            if let automaticActivity, userActivity === automaticActivity { userActivity = nil }
            return automaticActivity = nil
        }
        guard userActivity == nil else { return }
        let activity = NSUserActivity(activityType: type, center: center)
        activity.title = displayName
        // Nobody has put anything into it by hand.
        activity.needsSave = true
        automaticActivity = activity
        userActivity = activity
    }

    // MARK: Its windows

    /// The document retains them, and they know it.
    public private(set) final var windowControllers: [NSWindowController] = []

    /// Leaves the document that the controller had.
    open func addWindowController(_ windowController: NSWindowController) {
        guard windowController.document !== self else { return }
        windowController.document?.removeWindowController(windowController)
        windowControllers.append(windowController)
        windowController.document = self
    }

    /// The controller does not show this document any more. The document stays open.
    open func removeWindowController(_ windowController: NSWindowController) {
        guard windowController.document === self else { return }
        windowController.document = nil
        windowControllers.removeAll { $0 === windowController }
    }

    /// Makes what the document is shown in, with `addWindowController(_:)`. The default makes nothing.
    open func makeWindowControllers() {}

    /// Opens its windows.
    open func showWindows() {
        for controller in windowControllers { controller.showWindow(self) }
    }

    func windowWasClosed(of windowController: NSWindowController) {
        removeWindowController(windowController)
        if windowControllers.isEmpty { lastWindowWasClosed() }
    }

    func lastWindowWasClosed() { close() }

    // MARK: Its file, as others read and write it

    // Called in the background, on `presentedItemOperationQueue`. A subclass that overrides one calls super.

    /// `fileURL`.
    nonisolated open var presentedItemURL: URL? { location.withLock { $0 } }
    /// In the background, one call at a time.
    nonisolated open var presentedItemOperationQueue: OperationQueue { presenterQueue }

    nonisolated open func relinquishPresentedItem(toReader reader: @escaping @Sendable ((() -> Void)?) -> Void) {
        reader(nil)
    }

    nonisolated open func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((() -> Void)?) -> Void) {
        onMainThread { $0.setPaused(true) }
        writer { self.onMainThread { $0.setPaused(false) } }
    }

    /// Saves, where the document does so without asking.
    nonisolated open func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        onMainThread { $0.saveChanges(completionHandler) }
    }

    /// Ends the document; what is not saved is lost with it.
    nonisolated open func accommodatePresentedItemDeletion(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        onMainThread { document in
            document.close()
            completionHandler(nil)
        }
    }

    // Final, so that a subclass that implements the async form instead does not compile: nothing would call it.

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

    /// The document lies there from now on.
    nonisolated open func presentedItemDidMove(to newURL: URL) { onMainThread { $0.follow(to: newURL) } }
    /// Reads the file again, unless there are changes that are not saved: then what lies there is kept as a copy beside it
    /// when these are.
    nonisolated open func presentedItemDidChange() { onMainThread { $0.fileChanged() } }
    /// Does nothing.
    nonisolated open func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) {}
    nonisolated open func presentedItemDidGain(_ version: NSFileVersion) { onMainThread { $0.versionsChanged() } }
    nonisolated open func presentedItemDidLose(_ version: NSFileVersion) { onMainThread { $0.versionsChanged() } }
    nonisolated open func presentedItemDidResolveConflict(_ version: NSFileVersion) {
        onMainThread { $0.versionsChanged() }
    }

    // MARK: What is not saved; for NSDocument and UIDocument

    /// Whether there are changes that were not saved.
    var hasChanges: Bool { false }
    /// Saves them, if it does so without asking; `done` is called once, on the main thread.
    func saveChanges(_ done: @escaping @MainActor ((any Error)?) -> Void) { done(nil) }
    /// The file is about to go to another device.
    func prepareToGo(_ done: @escaping @MainActor @Sendable ((any Error)?) -> Void) { saveChanges(done) }
    /// Whether it is saved without a place of its own when it is about to go to another device.
    var savesDrafts: Bool { false }
    /// The file has other content, and there are no changes that would be lost.
    func readAgain() {}
    /// There are other versions of it, or fewer.
    func versionsChanged() {}
    /// Nothing may be written to the file for a moment.
    func setPaused(_ isPaused: Bool) {}
    /// It was renamed or moved by somebody else.
    func follow(to url: URL) { move(to: url) }

    // MARK: Its life

    /// Reads the document for the ``NSDocumentController``; `done` is called once, on the main thread.
    func load(from url: URL, ofType typeName: String, done: @escaping @MainActor ((any Error)?) -> Void) {
        move(to: url)
        fileType = typeName
        done(nil)
    }

    /// Ends the document, its windows and its activity, for whoever else it is managed. Not to be used after it.
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
