// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem

/// Receives a method's error: `&error` of a `var error: NSError?`, or nil.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// Coordinates the use of files within this process, and with documents that arrive from other devices.
///
/// ```swift
/// var error: NSError?
/// NSFileCoordinator().coordinate(readingItemAt: url, error: &error) { url in
///     text = try? String(contentsOf: url, encoding: .utf8)
/// }
/// ```
///
/// Several readers or one writer may use a file at a time, after its presenters (``NSFilePresenter``) have relinquished
/// it and saved. A coordinator does not wait for coordinators of the same presenter or purpose, nor for the accessors
/// within which it runs. A read waits for a document that is on its way. Other programs do not take part.
//
// Unchecked because NSObject is not Sendable; the other properties are constant or guarded by a lock. Only the identity
// of the retained presenter is used.
open class NSFileCoordinator: NSObject, @unchecked Sendable {
    private struct State {
        var purpose: String
        var uses: [ObjectIdentifier: FileUse] = [:]
    }

    let center: ActivityCenter
    private let presenter: (any NSFilePresenter)?
    private let state: Lock<State>

    /// Creates a coordinator. The presenter is neither asked nor notified.
    public convenience init(filePresenter filePresenterOrNil: (any NSFilePresenter)? = nil) {
        self.init(filePresenter: filePresenterOrNil, center: .current)
    }

    public override convenience init() { self.init(filePresenter: nil, center: .current) }

    package init(filePresenter: (any NSFilePresenter)?, center: ActivityCenter) {
        self.center = center
        presenter = filePresenter
        let purpose = filePresenter.map { PresenterReference.purpose(of: ObjectIdentifier($0)) }
        state = Lock(State(purpose: purpose ?? UUID().uuidString))
        super.init()
    }

    /// Coordinators of one purpose do not wait for each other. Initially the presenter's, or else unique.
    open var purposeIdentifier: String {
        get { state.withLock { $0.purpose } }
        set { state.withLock { $0.purpose = newValue } }
    }

    // MARK: Presenters

    /// Registers a presenter for notifications, without retaining it.
    open class func addFilePresenter(_ filePresenter: any NSFilePresenter) {
        ActivityCenter.current.coordination.add(filePresenter)
    }

    /// Removes a presenter.
    open class func removeFilePresenter(_ filePresenter: any NSFilePresenter) {
        ActivityCenter.current.coordination.remove(filePresenter)
    }

    /// The registered presenters.
    open class var filePresenters: [any NSFilePresenter] {
        ActivityCenter.current.coordination.presenters.compactMap(\.presenter)
    }

    // MARK: One file

    /// Calls `reader` with the URL to read, on this thread, unless an error occurs.
    open func coordinate(
        readingItemAt url: URL, options: ReadingOptions = [], error outError: NSErrorPointer,
        byAccessor reader: (URL) -> Void
    ) {
        use([.reading(url, options)], outError) { reader($0[0]) }
    }

    /// Calls `writer` with the URL to write, on this thread, unless an error occurs; then notifies presenters.
    open func coordinate(
        writingItemAt url: URL, options: WritingOptions = [], error outError: NSErrorPointer,
        byAccessor writer: (URL) -> Void
    ) {
        use([.writing(url, options)], outError) { writer($0[0]) }
    }

    // MARK: Two files

    /// Claims both files at once, which avoids a deadlock.
    open func coordinate(
        readingItemAt readingURL: URL, options readingOptions: ReadingOptions = [], writingItemAt writingURL: URL,
        options writingOptions: WritingOptions = [], error outError: NSErrorPointer,
        byAccessor readerWriter: (URL, URL) -> Void
    ) {
        use([.reading(readingURL, readingOptions), .writing(writingURL, writingOptions)], outError) {
            readerWriter($0[0], $0[1])
        }
    }

    /// Claims both files at once, which avoids a deadlock.
    open func coordinate(
        writingItemAt url1: URL, options options1: WritingOptions = [], writingItemAt url2: URL,
        options options2: WritingOptions = [], error outError: NSErrorPointer, byAccessor writer: (URL, URL) -> Void
    ) {
        use([.writing(url1, options1), .writing(url2, options2)], outError) { writer($0[0], $0[1]) }
    }

    // MARK: Many files

    /// Waits for all these files and calls `batchAccessor` on this thread. Until it calls its block, other calls of
    /// this coordinator do not wait.
    open func prepare(
        forReadingItemsAt readingURLs: [URL], options readingOptions: ReadingOptions = [],
        writingItemsAt writingURLs: [URL], options writingOptions: WritingOptions = [],
        error outError: NSErrorPointer, byAccessor batchAccessor: (@escaping () -> Void) -> Void
    ) {
        let wanted =
            readingURLs.map { FileWish.reading($0, readingOptions) }
            + writingURLs.map { FileWish.writing($0, writingOptions) }
        switch begin(wanted) {
        case .failure(let error): outError?.pointee = error as NSError
        case .success(let begun):
            let ended = Once<Void> { _ in self.end(begun.use) }
            begun.run { batchAccessor { ended(()) } }
        }
    }

    /// Waits for these files without blocking a thread, then calls `accessor` on `queue` once, with an error on
    /// failure.
    open func coordinate(
        with intents: [NSFileAccessIntent], queue: OperationQueue,
        byAccessor accessor: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let wishes = intents.map(\.wish)
        center.download(wishes.filter(\.waitsForContent).compactMap(\.place)) { failure in
            if let failure { return queue.addOperation { accessor(failure.cocoaError) } }
            self.begin(wishes) { result in
                queue.addOperation {
                    switch result {
                    case .failure(let error): accessor(error)
                    case .success(let begun):
                        for (intent, url) in zip(intents, begun.urls) { intent.begins(at: url) }
                        begun.run { accessor(nil) }
                        self.end(begun.use)
                    }
                }
            }
        }
    }

    // MARK: Moves

    /// For sandboxed programs; has no effect.
    open func item(at oldURL: URL, willMoveTo newURL: URL) {}

    /// Call this in the accessor that moved the item: presenters and waiting claims follow it.
    open func item(at oldURL: URL, didMoveTo newURL: URL) {
        guard let old = FilePlace(oldURL), let new = FilePlace(newURL) else { return }
        center.coordination.tellMove(from: old, to: new, except: presenter.map { ObjectIdentifier($0) })
    }

    /// Has no effect, because attributes of containers do not change.
    open func item(at url: URL, didChangeUbiquityAttributes attributes: Set<URLResourceKey>) {}

    /// Ends the waits of this coordinator with `CocoaError.userCancelled`, on any thread. Running accessors continue.
    open func cancel() {
        for use in state.withLock({ $0.uses }).values { use.cancel() }
    }

    // MARK: Running

    private struct Begun {
        let use: FileUse
        let urls: [URL]

        /// The app's code does not wait for its own claims.
        func run(_ body: () -> Void) {
            var within = FileCoordination.within
            if let claim = use.claim { within.insert(claim) }
            FileCoordination.$within.withValue(within, operation: body)
        }
    }

    private func use(_ wishes: [FileWish], _ outError: NSErrorPointer, _ body: ([URL]) -> Void) {
        switch begin(wishes) {
        case .failure(let error): outError?.pointee = error as NSError
        case .success(let begun):
            begun.run { body(begun.urls) }
            end(begun.use)
        }
    }

    /// Blocks the thread.
    private func begin(_ wishes: [FileWish]) -> Result<Begun, any Error> {
        let step = BlockingStep()
        for place in wishes.filter(\.waitsForContent).compactMap(\.place) where center.isPending(place) {
            center.download(place) { step.end($0?.cocoaError) }
            if let error = step.wait() { return .failure(error) }
        }
        do {
            let use = try makeUse(wishes)
            use.waitForTurn { step.end($0) }
            if let error = step.wait() { return given(up: use, error) }
            use.askPresenters(
                isWaiting: true, patience: Self.presenterPatience, wait: center.environment.wait, done: { step.end($0) }
            )
            if let error = step.wait() { return given(up: use, error) }
            return .success(begun(use, wishes))
        } catch {
            return .failure(error)
        }
    }

    private func begin(
        _ wishes: [FileWish], done: @escaping @Sendable (Result<Begun, any Error>) -> Void
    ) {
        do {
            let use = try makeUse(wishes)
            use.waitForTurn { error in
                if let error { return done(self.given(up: use, error)) }
                use.askPresenters(patience: Self.presenterPatience, wait: self.center.environment.wait) { error in
                    done(error.map { self.given(up: use, $0) } ?? .success(self.begun(use, wishes)))
                }
            }
        } catch {
            done(.failure(error))
        }
    }

    static let presenterPatience = Duration.seconds(30)

    private func makeUse(_ wishes: [FileWish]) throws -> FileUse {
        let parts = try wishes.map { try $0.part() }
        let use = FileUse(
            parts, for: purposeIdentifier, of: presenter.map { ObjectIdentifier($0) }, in: center.coordination)
        state.withLock { $0.uses[ObjectIdentifier(use)] = use }
        return use
    }

    private func begun(_ use: FileUse, _ wishes: [FileWish]) -> Begun {
        use.hasAsked()
        return Begun(use: use, urls: zip(wishes, use.places).map { $0.url(at: $1) })
    }

    private func given(up use: FileUse, _ error: any Error) -> Result<Begun, any Error> {
        end(use, tellingChanges: false)
        return .failure(error)
    }

    private func end(_ use: FileUse, tellingChanges: Bool = true) {
        state.withLock { $0.uses[ObjectIdentifier(use)] = nil }
        use.end(tellingChanges: tellingChanges)
    }
}

private final class BlockingStep: Sendable {
    private let error = Lock<(any Error)?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    func end(_ error: (any Error)?) {
        self.error.withLock { $0 = error }
        ended.signal()
    }

    func wait() -> (any Error)? {
        ended.wait()
        return error.withLock { $0 }
    }
}
