// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem
internal import HandoffWire

/// An author, sender or recipient in an attribute set.
///
/// ```swift
/// attributes.authors = [
///     CSPerson(displayName: "Anna", handles: ["anna@example.com"], handleIdentifier: "emailAddresses")
/// ]
/// ```
///
/// May be used on any thread. Equality is identity.
public final class CSPerson: NSObject, NSCopying, Sendable {
    /// The name to display.
    public let displayName: String?
    /// Addresses, numbers or names, all of the same kind.
    public let handles: [String]
    /// The kind of the handles: a contact property's key, such as `emailAddresses` or `phoneNumbers`.
    public let handleIdentifier: String
    /// The person's contact on this device. Initially nil.
    public var contactIdentifier: String? {
        get { contact.withLock { $0 } }
        set { contact.withLock { $0 = newValue } }
    }

    private let contact = Lock<String?>(nil)

    public init(displayName: String?, handles: [String], handleIdentifier: String) {
        self.displayName = displayName
        self.handles = handles
        self.handleIdentifier = handleIdentifier
        super.init()
    }

    /// A new person with the same values.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = CSPerson(displayName: displayName, handles: handles, handleIdentifier: handleIdentifier)
        copy.contactIdentifier = contactIdentifier
        return copy
    }

    public override func copy() -> Any { copy(with: nil) }
}

extension CSPerson: AttributeValue {
    private enum Key {
        static let displayName = Value.string("displayName")
        static let handles = Value.string("handles")
        static let handleIdentifier = Value.string("handleIdentifier")
        static let contactIdentifier = Value.string("contactIdentifier")
    }

    convenience init?(attribute: Value) {
        guard case .dictionary(let entries) = attribute,
            let handleIdentifier = entries[Key.handleIdentifier].flatMap(String.init(attribute:))
        else { return nil }
        self.init(
            displayName: entries[Key.displayName].flatMap(String.init(attribute:)),
            handles: entries[Key.handles].flatMap([String].init(attribute:)) ?? [], handleIdentifier: handleIdentifier)
        contactIdentifier = entries[Key.contactIdentifier].flatMap(String.init(attribute:))
    }

    var attribute: Value {
        var entries = [Key.handles: handles.attribute, Key.handleIdentifier: handleIdentifier.attribute]
        entries[Key.displayName] = displayName?.attribute
        entries[Key.contactIdentifier] = contactIdentifier?.attribute
        return .dictionary(entries)
    }
}
