// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Foundation
internal import HandoffSystem

/// Something that is dragged, copied or handed over, in one or several representations, each made when it is asked for.
///
/// ```swift
/// let provider = NSItemProvider(object: note.title as NSString)
/// provider.registerObject(activity, visibility: .all)
/// ```
/// and where it is dropped:
/// ```swift
/// provider.loadObject(ofClass: NSUserActivity.self) { activity, error in
/// ```
///
/// The interface is Apple's; Foundation has none on Linux. What drags is a toolkit: within a process it hands the provider
/// on, between programs it offers ``registeredTypeIdentifiers(visibleTo:)``, carries the bytes of
/// ``loadDataRepresentation(forTypeIdentifier:completionHandler:)``, and registers them with a provider on the other side.
/// Either way an object is made anew of bytes: it is never the very object that was registered.
///
/// Of two representations of one type the later one counts, at the place of the earlier.
///
/// May be used from any thread. Handlers and completion handlers are called in the background.
//
// Unchecked because NSObject is not Sendable; all there is beside it is a Sendable lock.
open class NSItemProvider: NSObject, NSCopying, @unchecked Sendable {
    /// Makes the bytes of a representation: calls its argument once, on any thread, with bytes or with an error.
    public typealias DataLoadHandler =
        @Sendable (_ completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?

    struct Representation: Sendable {
        let typeIdentifier: String
        let visibility: NSItemProviderRepresentationVisibility
        let load: DataLoadHandler
    }

    private struct State: Sendable {
        var representations: [Representation] = []
        var suggestedName: String?
    }

    private let state: Lock<State>

    /// One without a representation.
    public override init() {
        state = Lock(State())
        super.init()
    }

    private init(_ state: State) {
        self.state = Lock(state)
        super.init()
    }

    /// With the representations of that object, for everybody.
    public convenience init(object: any NSItemProviderWriting) {
        self.init()
        registerObject(object, visibility: .all)
    }

    /// A provider with the same representations. What is registered with one later is not with the other.
    open func copy(with zone: NSZone? = nil) -> Any { NSItemProvider(state.withLock { $0 }) }

    open override func copy() -> Any { copy(with: nil) }

    /// The name that a file of it would have. Nil at first.
    open var suggestedName: String? {
        get { state.withLock { $0.suggestedName } }
        set { state.withLock { $0.suggestedName = newValue } }
    }

    // MARK: What there is

    /// In the order in which they were registered.
    open var registeredTypeIdentifiers: [String] { representations.map(\.typeIdentifier) }

    /// Those that may be seen from so far away: a toolkit asks with `.all` for what other programs may have.
    public func registeredTypeIdentifiers(visibleTo visibility: NSItemProviderRepresentationVisibility) -> [String] {
        representations.filter { $0.visibility.rawValue <= visibility.rawValue }.map(\.typeIdentifier)
    }

    /// Whether there is a representation of that type, or of one that ``UTType/conforms(to:)`` it.
    open func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool {
        representation(conformingTo: typeIdentifier) != nil
    }

    var representations: [Representation] { state.withLock { $0.representations } }

    func representation(conformingTo typeIdentifier: String) -> Representation? {
        let wanted = UTType(importedAs: typeIdentifier)
        let representations = representations
        return representations.first { $0.typeIdentifier == typeIdentifier }
            ?? representations.first { UTType(importedAs: $0.typeIdentifier).conforms(to: wanted) }
    }

    // MARK: Bytes

    /// `loadHandler` is called whenever the bytes are asked for.
    open func registerDataRepresentation(
        forTypeIdentifier typeIdentifier: String, visibility: NSItemProviderRepresentationVisibility,
        loadHandler: @escaping DataLoadHandler
    ) {
        let new = Representation(typeIdentifier: typeIdentifier, visibility: visibility, load: loadHandler)
        state.withLock { state in
            if let index = state.representations.firstIndex(where: { $0.typeIdentifier == typeIdentifier }) {
                state.representations[index] = new
            } else {
                state.representations.append(new)
            }
        }
    }

    /// The bytes of the representation of that type, or of one that conforms to it. `completionHandler` is called once, in
    /// the background: with an error of ``errorDomain`` where there is none (`itemUnavailableError`), with the load handler's
    /// own error, or with `CocoaError.userCancelled` where the progress was cancelled.
    @discardableResult
    open func loadDataRepresentation(
        forTypeIdentifier typeIdentifier: String,
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        load(
            representation(conformingTo: typeIdentifier),
            else: Self.error(.itemUnavailableError, "There is no \(typeIdentifier).")
        ) { completionHandler($0.success, $0.failure) }
    }

    /// `completion` is called once, in the background.
    func load(
        _ representation: Representation?, else missing: NSError,
        completion: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        let center = ActivityCenter.current
        let once = Once<Result<Data, any Error>> { result in
            progress.completedUnitCount = 1
            center.runHook(on: .global()) { completion(result) }
        }
        progress.cancellationHandler = { once(.failure(CocoaError(.userCancelled))) }
        center.runHook(on: .global()) {
            guard let representation else { return once(.failure(missing)) }
            _ = representation.load { data, error in
                once(data.map(Result.success) ?? .failure(error ?? Self.error(.unknownError, "There are no bytes.")))
            }
        }
        return progress
    }
}

/// How far from its own process a representation may be seen. A toolkit keeps to it; Linux does not know which programs are
/// of one team or group, so to those a representation is shown as it is to all others: not at all.
public enum NSItemProviderRepresentationVisibility: Int, Hashable, Sendable {
    /// Every program.
    case all = 0
    /// Programs of the same team.
    case team = 1
    /// Programs of the same group.
    case group = 2
    /// This process alone.
    case ownProcess = 3
}

extension NSItemProvider {
    /// The domain of errors of item providers.
    public static let errorDomain = "NSItemProviderErrorDomain"

    /// The codes of errors of that domain.
    public enum ErrorCode: Int, Hashable, Sendable {
        /// -1: nobody knows.
        case unknownError = -1
        /// -1000: there is no representation of the type.
        case itemUnavailableError = -1000
        /// -1100: what was made is of another class than was asked for.
        case unexpectedValueClassError = -1100
        /// -1200: there is no representation that the class can read.
        case unavailableCoercionError = -1200
    }

    static func error(_ code: ErrorCode, _ sentence: String) -> NSError {
        NSError(domain: errorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: sentence])
    }

    /// Throws `unexpectedValueClassError`.
    static func cast<Object: AnyObject>(_ object: AnyObject) throws -> Object {
        guard let object = object as? Object else {
            throw error(.unexpectedValueClassError, "What was handed over is no \(Object.self).")
        }
        return object
    }
}

extension Result {
    var success: Success? { try? get() }
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
