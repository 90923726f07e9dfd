// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Something that an app can do for its user. The base of an app's own; nobody on this system asks for one.
open class INIntent: NSObject {
    /// By what the app knows it. Nil at first.
    open var identifier: String?
    /// What it does, in words. Nil at first.
    open var intentDescription: String?
    /// What the user might say to have it done. Nil at first, kept, and without an effect.
    open var suggestedInvocationPhrase: String?

    public override init() { super.init() }
}

/// How an intent went. The base of an app's own.
open class INIntentResponse: NSObject {
    /// With what the app goes on, where it is to be opened. Nil at first.
    open var userActivity: NSUserActivity?

    public override init() { super.init() }
}

/// The domain of `INIntentError`.
public let INIntentErrorDomain = "IntentsErrorDomain"

/// Why something with intents was not done. The codes that have to do with interactions; their numbers are those of the
/// Intents framework. `interactionOperationNotSupported` is the one that comes here.
public struct INIntentError: Error, Hashable, Sendable {
    /// What went wrong.
    public enum Code: Int, Hashable, Sendable {
        /// 1900: this device keeps no interactions.
        case interactionOperationNotSupported = 1900
        /// 1901: an interaction could not be donated.
        case donatingInteraction = 1901
        /// 1902: the interactions could not be deleted.
        case deletingAllInteractions = 1902
        /// 1903: interactions with some identifiers could not be deleted.
        case deletingInteractionWithIdentifiers = 1903
        /// 1904: the interactions of a group could not be deleted.
        case deletingInteractionWithGroupIdentifier = 1904

        /// For `catch INIntentError.interactionOperationNotSupported`.
        public static func ~= (code: Code, error: any Error) -> Bool { (error as? INIntentError)?.code == code }
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    /// 1900: this device keeps no interactions.
    public static var interactionOperationNotSupported: Code { .interactionOperationNotSupported }
    /// 1901: an interaction could not be donated.
    public static var donatingInteraction: Code { .donatingInteraction }
    /// 1902: the interactions could not be deleted.
    public static var deletingAllInteractions: Code { .deletingAllInteractions }
    /// 1903: interactions with some identifiers could not be deleted.
    public static var deletingInteractionWithIdentifiers: Code { .deletingInteractionWithIdentifiers }
    /// 1904: the interactions of a group could not be deleted.
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
