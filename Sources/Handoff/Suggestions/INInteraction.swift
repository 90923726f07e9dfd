// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Something that the user did in the app and may want to do again: an intent, and how it went.
///
/// Nobody on this system learns from it, so nothing that is donated is kept: ``donate(completion:)`` ends with
/// `INIntentError.interactionOperationNotSupported`, and so do the methods that delete. The app's log has a line about it,
/// once. Completion handlers are called once, in the background.
open class INInteraction: NSObject {
    /// What was to be done.
    public let intent: INIntent
    /// How it went. Nil if that is not known.
    public let intentResponse: INIntentResponse?
    /// By what the app knows it, to delete it. A new one of its own at first.
    open var identifier = UUID().uuidString
    /// By what it is deleted together with others. Nil at first.
    open var groupIdentifier: String?
    /// Who began it. Unspecified at first.
    open var direction = INInteractionDirection.unspecified
    /// When it was. Nil at first.
    open var dateInterval: DateInterval?
    /// Unspecified: nobody here handles intents.
    open var intentHandlingStatus: INIntentHandlingStatus { .unspecified }

    public init(intent: INIntent, response: INIntentResponse?) {
        self.intent = intent
        intentResponse = response
        super.init()
    }

    /// Ends with `INIntentError.interactionOperationNotSupported`.
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) { Self.refuse(completion) }

    /// Throws `INIntentError.interactionOperationNotSupported`.
    open func donate() async throws { throw Self.refusal() }

    /// Ends with `INIntentError.interactionOperationNotSupported`; nothing was kept.
    open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) { refuse(completion) }

    /// Throws `INIntentError.interactionOperationNotSupported`; nothing was kept.
    open class func deleteAll() async throws { throw refusal() }

    /// Ends with `INIntentError.interactionOperationNotSupported`; nothing was kept.
    open class func delete(with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        refuse(completion)
    }

    /// Throws `INIntentError.interactionOperationNotSupported`; nothing was kept.
    open class func delete(with identifiers: [String]) async throws { throw refusal() }

    /// Ends with `INIntentError.interactionOperationNotSupported`; nothing was kept.
    open class func delete(with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        refuse(completion)
    }

    /// Throws `INIntentError.interactionOperationNotSupported`; nothing was kept.
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

/// Who began an interaction.
public enum INInteractionDirection: Int, Hashable, Sendable {
    case unspecified = 0
    /// The user did.
    case outgoing = 1
    /// Somebody else did.
    case incoming = 2
}

/// How far an intent got.
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
        "nobody on this system suggests what to do next, so INInteraction and suggestedInvocationPhrase do nothing"
}
