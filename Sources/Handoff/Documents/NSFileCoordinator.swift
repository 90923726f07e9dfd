// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem

/// Where a function of the original puts its error: `&error` of a `var error: NSError?`, or nil.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// Reads and writes files in turns with others of this process, and with documents that come from other devices.
///
/// ```swift
/// var error: NSError?
/// NSFileCoordinator().coordinate(readingItemAt: url, error: &error) { url in
///     text = try? String(contentsOf: url, encoding: .utf8)
/// }
/// ```
///
/// Many may read a file at a time, or one may write. Before that those who present the file (``NSFilePresenter``) are asked
/// to let go of it and to save. Nobody waits for himself: not for a coordinator of the same presenter or purpose, and not
/// within an accessor.
///
/// Other programs do not take part. A coordinated read waits for a document that is on its way to this device.
//
// Unchecked because NSObject is not Sendable; what there is beside it is constant or behind a lock. The presenter is
// retained, and used by its identity alone.
open class NSFileCoordinator: NSObject, @unchecked Sendable {
    private struct State {
        var purpose: String
        var uses: [ObjectIdentifier: FileUse] = [:]
    }

    let center: ActivityCenter
    private let presenter: (any NSFilePresenter)?
    private let state: Lock<State>

    /// On behalf of a presenter, which is not asked and not told; nil: of nobody.
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

    /// Coordinators of one purpose never wait for each other. At first that of the presenter, else one of its own.
    open var purposeIdentifier: String {
        get { state.withLock { $0.purpose } }
        set { state.withLock { $0.purpose = newValue } }
    }

    // MARK: Presenters

    /// Tells `filePresenter` from now on. It is not retained.
    open class func addFilePresenter(_ filePresenter: any NSFilePresenter) {
        ActivityCenter.current.coordination.add(filePresenter)
    }

    /// Does not tell it any more.
    open class func removeFilePresenter(_ filePresenter: any NSFilePresenter) {
        ActivityCenter.current.coordination.remove(filePresenter)
    }

    /// Those that are told.
    open class var filePresenters: [any NSFilePresenter] {
        ActivityCenter.current.coordination.presenters.compactMap(\.presenter)
    }

    // MARK: One file

    /// Calls `reader` on this thread, unless there is an error: where to read. Presenters save first, and a document that
    /// is on its way here is waited for.
    open func coordinate(
        readingItemAt url: URL, options: ReadingOptions = [], error outError: NSErrorPointer,
        byAccessor reader: (URL) -> Void
    ) {
        use([.reading(url, options)], outError) { reader($0[0]) }
    }

    /// Calls `writer` on this thread, unless there is an error: where to write. Presenters are told when it returns.
    open func coordinate(
        writingItemAt url: URL, options: WritingOptions = [], error outError: NSErrorPointer,
        byAccessor writer: (URL) -> Void
    ) {
        use([.writing(url, options)], outError) { writer($0[0]) }
    }

    // MARK: Two files

    /// Both at once, so that neither is waited for while the other is held.
    open func coordinate(
        readingItemAt readingURL: URL, options readingOptions: ReadingOptions = [], writingItemAt writingURL: URL,
        options writingOptions: WritingOptions = [], error outError: NSErrorPointer,
        byAccessor readerWriter: (URL, URL) -> Void
    ) {
        use([.reading(readingURL, readingOptions), .writing(writingURL, writingOptions)], outError) {
            readerWriter($0[0], $0[1])
        }
    }

    /// Both at once, so that neither is waited for while the other is held.
    open func coordinate(
        writingItemAt url1: URL, options options1: WritingOptions = [], writingItemAt url2: URL,
        options options2: WritingOptions = [], error outError: NSErrorPointer, byAccessor writer: (URL, URL) -> Void
    ) {
        use([.writing(url1, options1), .writing(url2, options2)], outError) { writer($0[0], $0[1]) }
    }

    // MARK: Many files

    /// Waits for all of these files, and calls `batchAccessor` on this thread. What this coordinator does in it, until the
    /// block that is passed to it is called, waits for nobody.
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

    /// Waits for all of these files without a thread, and calls `accessor` on `queue`, once: with an error, where none of
    /// them may be used.
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

    /// For a program with a sandbox; has no effect.
    open func item(at oldURL: URL, willMoveTo newURL: URL) {}

    /// To be called in the accessor that moved it: presenters and those who wait hear where it is.
    open func item(at oldURL: URL, didMoveTo newURL: URL) {
        guard let old = FilePlace(oldURL), let new = FilePlace(newURL) else { return }
        center.coordination.tellMove(from: old, to: new, except: presenter.map { ObjectIdentifier($0) })
    }

    /// Attributes of containers do not change; has no effect.
    open func item(at url: URL, didChangeUbiquityAttributes attributes: Set<URLResourceKey>) {}

    /// Whoever waits in a call of this coordinator, on any thread, does not wait any more and gets
    /// `CocoaError.userCancelled`. What is being read or written goes on.
    open func cancel() {
        for use in state.withLock({ $0.uses }).values { use.cancel() }
    }

    // MARK: Using

    private struct Begun {
        let use: FileUse
        let urls: [URL]

        /// Code of the app, which does not wait for what it holds.
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

    /// Holds the thread.
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

    /// How long somebody who presents a file may take to save it and let go.
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

/// A thread waits for one step after the other.
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
