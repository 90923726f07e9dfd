// SPDX-License-Identifier: Apache-2.0

package import Foundation
@_exported public import Handoff
internal import HandoffClient
internal import Synchronization

/// This app, to which activities of the user's other devices come. For any toolkit, and for none.
///
/// A program without a toolkit sets the delegate and runs:
/// ```swift
/// let delegate = Delegate()
/// HandoffApplication.shared.delegate = delegate
/// HandoffApplication.shared.run()
/// ```
/// One with an async `main` needs no `run()`: the main actor takes the calls. One whose toolkit has a main loop of its own
/// tells with `deliver(through:)` how to get to the main thread.
@MainActor
public final class HandoffApplication: Responder {
    /// Runs its argument on the main thread, soon, in the order of the calls. Called on any thread; must not wait.
    public typealias MainThreadScheduler = @Sendable (_ work: @escaping @MainActor @Sendable () -> Void) -> Void

    /// From its first use on, this process can be given activities.
    public static var shared: HandoffApplication {
        guard let center = ActivityCenter.simulated else { return ofThisProcess }
        return center.handler as? HandoffApplication ?? HandoffApplication(center: center)
    }

    private static let ofThisProcess = HandoffApplication(center: .shared)

    /// Not retained. What comes before there is a delegate waits for one.
    public weak var delegate: (any HandoffApplicationDelegate)? {
        didSet { deliverWaiting() }
    }

    /// Tells what its user sees. For whoever connects a toolkit.
    public private(set) lazy var toolkit = Toolkit(of: self)

    /// The app's documents. A subclass of its own is set before a document is opened.
    public lazy var documentController = DocumentController()

    private var waiting: [@MainActor (any HandoffApplicationDelegate) -> Void] = []
    private var isRunning = false
    private let scheduler = Lock<MainThreadScheduler>({ work in
        DispatchQueue.main.async { MainActor.assumeIsolated { work() } }
    })

    package init(center: ActivityCenter) {
        super.init()
        center.receive(with: self)
    }

    /// Keeps the main thread until `stop()`, serving the main queue, the main actor and the main run loop. To be called
    /// from the program's synchronous top level.
    public func run() {
        isRunning = true
        while isRunning { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }

    /// Has `run()` return.
    public func stop() {
        isRunning = false
    }

    /// Ends the process. Its activities are withdrawn with it.
    public func terminate() -> Never {
        exit(EXIT_SUCCESS)
    }

    /// For a toolkit whose main loop does not serve the main queue: gets the delegate called in that loop.
    public func deliver(through scheduler: @escaping MainThreadScheduler) {
        self.scheduler.withLock { $0 = scheduler }
    }

    private func deliverWaiting() {
        while let delegate, !waiting.isEmpty { waiting.removeFirst()(delegate) }
    }

    nonisolated func onMainThread(_ work: @escaping @MainActor @Sendable () -> Void) {
        let schedule = scheduler.withLock { $0 }
        schedule(work)
    }

    /// The delegate is called in the order of the calls of this.
    private nonisolated func callDelegate(
        _ call: @escaping @MainActor @Sendable (any HandoffApplicationDelegate) -> Void
    ) {
        onMainThread {
            self.waiting.append(call)
            self.deliverWaiting()
        }
    }
}

extension HandoffApplication: ContinuationHandler {
    nonisolated package func willContinue(_ activityType: String, answer: @escaping @Sendable (Bool) -> Void) {
        callDelegate { answer($0.application(self, willContinueUserActivityWithType: activityType)) }
    }

    nonisolated package func continueActivity(_ activity: NSUserActivity, answer: @escaping @Sendable (Bool) -> Void) {
        callDelegate { delegate in
            let restoration = Restoration(of: activity, in: self)
            let isHandled = delegate.application(self, continue: activity) { restoration.restore($0) }
            answer(isHandled || self.documentController.continueDocument(of: activity))
        }
    }

    nonisolated package func didFail(_ activityType: String, error: CocoaError) {
        callDelegate { $0.application(self, didFailToContinueUserActivityWithType: activityType, error: error) }
    }

    nonisolated package func didUpdate(_ activity: NSUserActivity, done: @escaping @Sendable () -> Void) {
        onMainThread {
            activity.updateOwners()
            // Sending does not wait for a delegate to come.
            self.delegate?.application(self, didUpdate: activity)
            done()
        }
    }
}
