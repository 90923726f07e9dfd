// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
package import Foundation
@_exported public import Handoff
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// This app, which receives activities from other devices.
///
/// A program without a toolkit sets the delegate and runs:
/// ```swift
/// let delegate = Delegate()
/// UIApplication.shared.delegate = delegate
/// UIApplication.shared.run()
/// ```
/// or uses `@main` (``UIApplicationDelegate/main()``). An async `main` needs no `run()`: the main actor serves the
/// calls. A toolkit needs `deliver(through:)`, and `finishLaunching()` when it can create windows.
@preconcurrency @MainActor
public final class UIApplication: UIResponder {
    /// Runs its argument on the main thread soon, in order. Called on any thread; must not block.
    public typealias MainThreadScheduler = @Sendable (_ work: @escaping @MainActor @Sendable () -> Void) -> Void

    /// The process can receive activities from the first use.
    public static var shared: UIApplication {
        guard let center = ActivityCenter.simulated else { return ofThisProcess }
        return center.handler as? UIApplication ?? UIApplication(center: center)
    }

    private static let ofThisProcess: UIApplication = {
        // Output to a file would otherwise wait until the app ends.
        chandoff_print_by_lines()
        return UIApplication(center: .shared)
    }()

    /// Not retained. Calls wait until there is a delegate.
    public weak var delegate: (any HandoffApplicationDelegate)? {
        didSet { delegateChanged() }
    }

    /// For toolkit authors.
    public private(set) lazy var toolkit = HandoffToolkit(of: self)

    /// Set your own subclass before a document is opened.
    public lazy var documentController = NSDocumentController()

    /// Shows progress and errors of continuations. Retained. If nil, progress is a line on a terminal, and errors are
    /// lines of standard error.
    public var continuationDisplay: (any HandoffContinuationDisplay)?

    /// Initially `UIApplicationSupportsMultipleScenes` of the Info.plist, or else false.
    public var supportsMultipleScenes: Bool

    let environment: ActivityCenter.Environment
    weak let center: ActivityCenter?
    /// Retains a delegate that the framework created.
    var ownDelegate: (any HandoffApplicationDelegate)?
    var launch = LaunchState()
    let progress: ProgressBoard
    /// Nil in a simulated process: a test must leave no files.
    let sceneArchive: SceneArchive?
    nonisolated let backgroundTasks = BackgroundTasks()
    var backgroundTimeLimit = Duration.seconds(30)
    private(set) lazy var scenes = ConnectedScenes(of: self)
    private(set) lazy var viewEvents = ViewEvents(of: self)
    var manifest = ApplicationManifest.ofThisProcess
    var ownShortcutItems: [UIApplicationShortcutItem]?
    /// Handles a URL that no hook takes.
    package var documentOpener: ((URL) -> Void)?
    /// False if the toolkit opens the URLs of the command line.
    package var opensItsArguments = true

    private var waiting: [@MainActor (any HandoffApplicationDelegate) -> Void] = []
    private(set) var isRunning = false
    private var isTerminating = false
    /// Handles SIGTERM once background tasks have begun.
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

    /// Launches the app and serves the main queue, main actor and main run loop until `stop()`. Call it from the
    /// program's synchronous top level.
    public func run() {
        isRunning = true
        finishLaunching()
        while isRunning { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
        if isTerminating { terminate() }
        finishBackgroundTasks()
        scenes.saveAll()
    }

    /// Makes `run()` return.
    public func stop() {
        isRunning = false
    }

    /// Ends the process, after `applicationDidEnterBackground`, background tasks, `applicationWillTerminate` and saving
    /// the scenes. Withdraws the app's activities.
    public func terminate() -> Never {
        // UIKit apps save changes in this hook.
        toolkit.applicationEnteredBackground()
        finishBackgroundTasks()
        NotificationCenter.default.post(name: Self.willTerminateNotification, object: self)
        delegate?.applicationWillTerminate(self)
        scenes.saveAll()
        exit(EXIT_SUCCESS)
    }

    /// AppKit's name. In `run()`, this returns and `run()` ends the process.
    public func terminate(_ sender: Any?) {
        guard isRunning else { terminate() }
        isTerminating = true
        stop()
    }

    /// For a toolkit whose main loop does not serve the main queue.
    public func deliver(through scheduler: @escaping MainThreadScheduler) {
        self.scheduler.withLock { $0 = scheduler }
    }

    // MARK: Calling the delegate

    private func delegateChanged() {
        if launch.isDue { finishLaunching() }
        deliverWaiting()
    }

    /// Calls in order, once there is a delegate and the launch hooks have returned.
    func whenLaunched(_ call: @escaping @MainActor (any HandoffApplicationDelegate) -> Void) {
        waiting.append(call)
        deliverWaiting()
    }

    func deliverWaiting() {
        guard !waiting.isEmpty else { return }
        // Calls during the launch hooks wait for their end.
        finishLaunching()
        while launch.isOver, let delegate, !waiting.isEmpty { waiting.removeFirst()(delegate) }
    }

    nonisolated func onMainThread(_ work: @escaping @MainActor @Sendable () -> Void) {
        let schedule = scheduler.withLock { $0 }
        schedule(work)
    }
}

/// A name from neither UIKit nor AppKit.
public typealias HandoffApplication = UIApplication
/// AppKit's name.
public typealias NSApplication = UIApplication

/// AppKit's name.
@preconcurrency @MainActor public var NSApp: UIApplication { .shared }
