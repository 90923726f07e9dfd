// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Foundation
internal import HandoffSystem

/// A dragged, copied or shared item, in representations created on request.
///
/// ```swift
/// let provider = NSItemProvider(object: note.title as NSString)
/// provider.registerObject(activity, visibility: .all)
/// ```
/// and at the destination:
/// ```swift
/// provider.loadObject(ofClass: NSUserActivity.self) { activity, error in
/// ```
///
/// A toolkit implements dragging: within a process it passes the provider on; between programs it offers
/// ``registeredTypeIdentifiers(visibleTo:)`` and transfers the bytes of
/// ``loadDataRepresentation(forTypeIdentifier:completionHandler:)`` to another provider. Objects are always created
/// from bytes.
///
/// A later representation replaces that of the same type, in its position. May be used on any thread; handlers are
/// called in the background.
//
// Unchecked because NSObject is not Sendable; the only stored property is a Sendable lock.
open class NSItemProvider: NSObject, NSCopying, @unchecked Sendable {
    /// Creates a representation's bytes: calls its argument once, on any thread, with the bytes or an error.
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

    /// Creates a provider without representations.
    public override init() {
        state = Lock(State())
        super.init()
    }

    private init(_ state: State) {
        self.state = Lock(state)
        super.init()
    }

    /// Creates a provider with the object's representations, visible to all programs.
    public convenience init(object: any NSItemProviderWriting) {
        self.init()
        registerObject(object, visibility: .all)
    }

    /// An independent provider with the same representations.
    open func copy(with zone: NSZone? = nil) -> Any { NSItemProvider(state.withLock { $0 }) }

    open override func copy() -> Any { copy(with: nil) }

    /// A suggested file name. Initially nil.
    open var suggestedName: String? {
        get { state.withLock { $0.suggestedName } }
        set { state.withLock { $0.suggestedName = newValue } }
    }

    // MARK: Representations

    /// In the order of registration.
    open var registeredTypeIdentifiers: [String] { representations.map(\.typeIdentifier) }

    /// The types visible at this distance. A toolkit passes `.all` for other programs.
    public func registeredTypeIdentifiers(visibleTo visibility: NSItemProviderRepresentationVisibility) -> [String] {
        representations.filter { $0.visibility.rawValue <= visibility.rawValue }.map(\.typeIdentifier)
    }

    /// Whether a representation has that type, or a type that conforms to it (``UTType/conforms(to:)``).
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

    /// Calls `loadHandler` on each request for the bytes.
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

    /// Loads the bytes of that type, or of a type that conforms to it. `completionHandler` is called once, in the
    /// background. It receives `itemUnavailableError` of ``errorDomain`` without such a representation,
    /// `CocoaError.userCancelled` if the progress was cancelled, or the load handler's error.
    @discardableResult
    open func loadDataRepresentation(
        forTypeIdentifier typeIdentifier: String,
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        load(
            representation(conformingTo: typeIdentifier),
            else: Self.error(.itemUnavailableError, "No representation of type \(typeIdentifier) exists.")
        ) { completionHandler($0.success, $0.failure) }
    }

    /// Calls `completion` once, in the background.
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
                once(
                    data.map(Result.success)
                        ?? .failure(error ?? Self.error(.unknownError, "The representation has no data.")))
            }
        }
        return progress
    }
}

/// The programs that see a representation; the toolkit enforces it. Linux has no teams and groups of programs, so other
/// programs do not see representations for them.
public enum NSItemProviderRepresentationVisibility: Int, Hashable, Sendable {
    /// Every program.
    case all = 0
    /// Programs of the same team.
    case team = 1
    /// Programs of the same group.
    case group = 2
    /// This process only.
    case ownProcess = 3
}

extension NSItemProvider {
    /// The domain of item providers' errors.
    public static let errorDomain = "NSItemProviderErrorDomain"

    /// The codes of ``errorDomain``.
    public enum ErrorCode: Int, Hashable, Sendable {
        /// -1: unknown.
        case unknownError = -1
        /// -1000: no representation of the type.
        case itemUnavailableError = -1000
        /// -1100: the object's class is not the requested one.
        case unexpectedValueClassError = -1100
        /// -1200: no representation that the class can read.
        case unavailableCoercionError = -1200
    }

    static func error(_ code: ErrorCode, _ sentence: String) -> NSError {
        NSError(domain: errorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: sentence])
    }

    /// Throws `unexpectedValueClassError`.
    static func cast<Object: AnyObject>(_ object: AnyObject) throws -> Object {
        guard let object = object as? Object else {
            throw error(.unexpectedValueClassError, "The object is not a \(Object.self).")
        }
        return object
    }
}

extension Result {
    var success: Success? { try? get() }
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
