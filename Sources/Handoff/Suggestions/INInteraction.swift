// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem

/// A user's action that they may repeat: an intent and its result.
///
/// This system does not store interactions. ``donate(completion:)`` and the deletions fail with
/// `INIntentError.interactionOperationNotSupported`, and the app's log says so once. Completion handlers are called
/// once, in the background.
open class INInteraction: NSObject {
    /// The action.
    public let intent: INIntent
    /// The result; nil if unknown.
    public let intentResponse: INIntentResponse?
    /// For deletion. Initially a new identifier.
    open var identifier = UUID().uuidString
    /// For deletion of a group. Initially nil.
    open var groupIdentifier: String?
    /// The side that started the interaction. Initially unspecified.
    open var direction = INInteractionDirection.unspecified
    /// When the interaction took place. Initially nil.
    open var dateInterval: DateInterval?
    /// Always unspecified: nothing here handles intents.
    open var intentHandlingStatus: INIntentHandlingStatus { .unspecified }

    public init(intent: INIntent, response: INIntentResponse?) {
        self.intent = intent
        intentResponse = response
        super.init()
    }

    /// Fails with `INIntentError.interactionOperationNotSupported`.
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) { Self.refuse(completion) }

    /// Throws `INIntentError.interactionOperationNotSupported`.
    open func donate() async throws { throw Self.refusal() }

    /// Fails with `INIntentError.interactionOperationNotSupported`.
    open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) { refuse(completion) }

    /// Throws `INIntentError.interactionOperationNotSupported`.
    open class func deleteAll() async throws { throw refusal() }

    /// Fails with `INIntentError.interactionOperationNotSupported`.
    open class func delete(with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        refuse(completion)
    }

    /// Throws `INIntentError.interactionOperationNotSupported`.
    open class func delete(with identifiers: [String]) async throws { throw refusal() }

    /// Fails with `INIntentError.interactionOperationNotSupported`.
    open class func delete(with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        refuse(completion)
    }

    /// Throws `INIntentError.interactionOperationNotSupported`.
    open class func delete(with groupIdentifier: String) async throws { throw refusal() }

    private class func refuse(_ completion: (@Sendable ((any Error)?) -> Void)?) {
        let error = refusal()
        ActivityCenter.current.runHook(on: .global()) { completion?(error) }
    }

    private class func refusal() -> INIntentError {
        ActivityCenter.current.logOnce(ActivityCenter.nobodySuggests)
        return INIntentError(.interactionOperationNotSupported)
    }
}

/// The direction of an interaction.
public enum INInteractionDirection: Int, Hashable, Sendable {
    case unspecified = 0
    /// Started by the user.
    case outgoing = 1
    /// Started by another person.
    case incoming = 2
}

/// The progress of an intent.
public enum INIntentHandlingStatus: Int, Hashable, Sendable {
    case unspecified = 0
    case ready = 1
    case inProgress = 2
    case success = 3
    case failure = 4
    case deferredToApplication = 5
}

extension ActivityCenter {
    static let nobodySuggests =
        "this system makes no suggestions, so INInteraction and suggestedInvocationPhrase do nothing"
}

extension NSUserActivity {
    /// A suggested phrase for starting the activity. Not sent; without effect, because this system has no voice
    /// assistant. The app's log says so once.
    public var suggestedInvocationPhrase: String? {
        get { read { $0.suggestedInvocationPhrase } }
        set {
            if newValue != nil { center.logOnce(ActivityCenter.nobodySuggests) }
            record.state.withLock { $0.content.suggestedInvocationPhrase = newValue }
        }
    }

    /// The user's interaction that opened the app with this activity. Always nil.
    public var interaction: INInteraction? { nil }
}
