// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
package import Foundation
@_exported public import Handoff
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// This app, to which activities of the user's other devices come. For any toolkit, and for none. `NSApplication`
/// and `HandoffApplication` are other names for it.
///
/// A program without a toolkit sets the delegate and runs:
/// ```swift
/// let delegate = Delegate()
/// UIApplication.shared.delegate = delegate
/// UIApplication.shared.run()
/// ```
/// or has it done by `@main` (``UIApplicationDelegate/main()``). One with an async `main` needs no `run()`: the main actor
/// takes the calls. One whose toolkit has a main loop of its own tells with `deliver(through:)` how to get to the main
/// thread, and calls `finishLaunching()` when its windows can be made.
@preconcurrency @MainActor
public final class UIApplication: UIResponder {
    /// Runs its argument on the main thread, soon, in the order of the calls. Called on any thread; must not wait.
    public typealias MainThreadScheduler = @Sendable (_ work: @escaping @MainActor @Sendable () -> Void) -> Void

    /// From its first use on, this process can be given activities.
    public static var shared: UIApplication {
        guard let center = ActivityCenter.simulated else { return ofThisProcess }
        return center.handler as? UIApplication ?? UIApplication(center: center)
    }

    private static let ofThisProcess: UIApplication = {
        // Started by the daemon or systemd, it prints into a file, which else has nothing until the app ends.
        chandoff_print_by_lines()
        return UIApplication(center: .shared)
    }()

    /// Not retained. What comes before there is a delegate waits for one.
    public weak var delegate: (any HandoffApplicationDelegate)? {
        didSet { delegateChanged() }
    }

    /// Tells what its user sees. For whoever connects a toolkit.
    public private(set) lazy var toolkit = HandoffToolkit(of: self)

    /// The app's documents. A subclass of its own is set before a document is opened.
    public lazy var documentController = NSDocumentController()

    /// What shows, in the app's place, that something is on its way or could not be had. Retained. Nil at first: on a
    /// terminal it is a line there, elsewhere an error is a line of the standard error.
    public var continuationDisplay: (any HandoffContinuationDisplay)?

    /// Whether the app can have more than one scene. At first what `UIApplicationSupportsMultipleScenes` in its Info.plist
    /// says, else false.
    public var supportsMultipleScenes: Bool

    /// Of the process; its locations and its log.
    let environment: ActivityCenter.Environment
    weak let center: ActivityCenter?
    /// A delegate that the framework made, which nobody else holds.
    var ownDelegate: (any HandoffApplicationDelegate)?
    var launch = LaunchState()
    let progress: ProgressBoard
    /// Nil in a process that is only simulated: a test leaves nothing on disk.
    let sceneArchive: SceneArchive?
    nonisolated let backgroundTasks = BackgroundTasks()
    var backgroundTimeLimit = Duration.seconds(30)
    private(set) lazy var scenes = ConnectedScenes(of: self)
    private(set) lazy var viewEvents = ViewEvents(of: self)
    var manifest = ApplicationManifest.ofThisProcess
    var ownShortcutItems: [UIApplicationShortcutItem]?
    /// Of a toolkit that has its own way for a URL that no hook takes.
    package var documentOpener: ((URL) -> Void)?
    /// False where the toolkit gives the app the URLs of its command line.
    package var opensItsArguments = true

    private var waiting: [@MainActor (any HandoffApplicationDelegate) -> Void] = []
    /// In `run()`.
    private(set) var isRunning = false
    private var isTerminating = false
    /// Follows SIGTERM once the app has begun background tasks.
    var endingSignal: (any DispatchSourceSignal)?
    private let scheduler = Lock<MainThreadScheduler>({ work in
        DispatchQueue.main.async { MainActor.assumeIsolated { work() } }
    })

    package init(center: ActivityCenter) {
        self.center = center
        environment = center.environment
        progress = ProgressBoard(of: center)
        supportsMultipleScenes = manifest.scenes?.supportsMultipleScenes ?? false
        sceneArchive = ActivityCenter.simulated == nil ? SceneArchive(center.environment) : nil
        super.init()
        center.receive(with: self)
    }

    // MARK: Running

    /// Launches the app and keeps the main thread until `stop()`, serving the main queue, the main actor and the main run
    /// loop. To be called from the program's synchronous top level.
    public func run() {
        isRunning = true
        finishLaunching()
        while isRunning { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
        if isTerminating { terminate() }
        finishBackgroundTasks()
        scenes.saveAll()
    }

    /// Has `run()` return.
    public func stop() {
        isRunning = false
    }

    /// Ends the process, after the delegate's `applicationDidEnterBackground` and `applicationWillTerminate` and with the
    /// state of the scenes saved; before that it waits for background tasks. Its activities are withdrawn with it.
    public func terminate() -> Never {
        // Where code of UIKit saves what is not saved.
        toolkit.applicationEnteredBackground()
        finishBackgroundTasks()
        NotificationCenter.default.post(name: Self.willTerminateNotification, object: self)
        delegate?.applicationWillTerminate(self)
        scenes.saveAll()
        exit(EXIT_SUCCESS)
    }

    /// `terminate()`, by AppKit's name. In an app that `run()` runs it returns, and `run()` ends the process.
    public func terminate(_ sender: Any?) {
        guard isRunning else { terminate() }
        isTerminating = true
        stop()
    }

    /// For a toolkit whose main loop does not serve the main queue: gets the delegate called in that loop.
    public func deliver(through scheduler: @escaping MainThreadScheduler) {
        self.scheduler.withLock { $0 = scheduler }
    }

    // MARK: Calling the delegate

    private func delegateChanged() {
        if launch.isDue { finishLaunching() }
        deliverWaiting()
    }

    /// Once there is a delegate, and after the launch hooks, in the order of the calls of this.
    func whenLaunched(_ call: @escaping @MainActor (any HandoffApplicationDelegate) -> Void) {
        waiting.append(call)
        deliverWaiting()
    }

    func deliverWaiting() {
        guard !waiting.isEmpty else { return }
        // What comes while the launch hooks run comes after them.
        finishLaunching()
        while launch.isOver, let delegate, !waiting.isEmpty { waiting.removeFirst()(delegate) }
    }

    nonisolated func onMainThread(_ work: @escaping @MainActor @Sendable () -> Void) {
        let schedule = scheduler.withLock { $0 }
        schedule(work)
    }
}

/// A name for it that is of neither.
public typealias HandoffApplication = UIApplication
/// AppKit's name for it.
public typealias NSApplication = UIApplication

/// `UIApplication.shared`, as AppKit writes it.
@preconcurrency @MainActor public var NSApp: UIApplication { .shared }
