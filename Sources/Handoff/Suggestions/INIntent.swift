// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An action that an app can perform for its user: the base class of an app's intents. Nothing here requests them.
open class INIntent: NSObject {
    /// Identifies the intent to the app.
    open var identifier: String?
    /// A description of the action.
    open var intentDescription: String?
    /// A suggested phrase for starting the action, without effect.
    open var suggestedInvocationPhrase: String?

    public override init() { super.init() }
}

/// The result of an intent. The base class of an app's responses.
open class INIntentResponse: NSObject {
    /// The activity for opening the app.
    open var userActivity: NSUserActivity?

    public override init() { super.init() }
}

/// The domain of `INIntentError`.
public let INIntentErrorDomain = "IntentsErrorDomain"

/// An error of the Intents framework. Only `interactionOperationNotSupported` occurs.
public struct INIntentError: Error, Hashable, Sendable {
    /// The kind of an error.
    public enum Code: Int, Hashable, Sendable {
        /// 1900: this device does not store interactions.
        case interactionOperationNotSupported = 1900
        /// 1901: an interaction could not be donated.
        case donatingInteraction = 1901
        /// 1902: the interactions could not be deleted.
        case deletingAllInteractions = 1902
        /// 1903: interactions with some identifiers could not be deleted.
        case deletingInteractionWithIdentifiers = 1903
        /// 1904: the interactions of a group could not be deleted.
        case deletingInteractionWithGroupIdentifier = 1904

        /// Supports `catch INIntentError.interactionOperationNotSupported`.
        public static func ~= (code: Code, error: any Error) -> Bool { (error as? INIntentError)?.code == code }
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    /// See ``Code/interactionOperationNotSupported``.
    public static var interactionOperationNotSupported: Code { .interactionOperationNotSupported }
    /// See ``Code/donatingInteraction``.
    public static var donatingInteraction: Code { .donatingInteraction }
    /// See ``Code/deletingAllInteractions``.
    public static var deletingAllInteractions: Code { .deletingAllInteractions }
    /// See ``Code/deletingInteractionWithIdentifiers``.
    public static var deletingInteractionWithIdentifiers: Code { .deletingInteractionWithIdentifiers }
    /// See ``Code/deletingInteractionWithGroupIdentifier``.
    public static var deletingInteractionWithGroupIdentifier: Code { .deletingInteractionWithGroupIdentifier }
}

extension INIntentError: CustomNSError {
    public static var errorDomain: String { INIntentErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: sentence] }

    private var sentence: String {
        switch code {
        case .interactionOperationNotSupported: "This system keeps no interactions."
        case .donatingInteraction: "The interaction could not be donated."
        case .deletingAllInteractions, .deletingInteractionWithIdentifiers, .deletingInteractionWithGroupIdentifier:
            "The interactions could not be deleted."
        }
    }
}
