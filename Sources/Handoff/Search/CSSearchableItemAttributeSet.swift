// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// The attributes that a search shows for an activity: text and an image next to its title.
///
/// ```swift
/// let attributes = CSSearchableItemAttributeSet(contentType: .text)
/// attributes.contentDescription = "A sonnet by Shakespeare"
/// attributes.keywords = ["sonnet", "summer"]
/// activity.contentAttributeSet = attributes
/// ```
///
/// The names are Core Spotlight's. The set is stored and sent with its activity. Above 64 KiB, encoded, it loses
/// `thumbnailData`, then `htmlContentData` and `textContent`, or else is not sent.
///
/// May be used on any thread. Equality is identity.
public final class CSSearchableItemAttributeSet: NSObject, NSCopying, Sendable {
    private let attributes: Lock<ContentAttributes>

    /// Creates a set for content of this type.
    public convenience init(contentType: UTType) {
        self.init(itemContentType: contentType.identifier)
    }

    /// Creates a set for content with this uniform type identifier, such as `public.text`.
    public convenience init(itemContentType type: String) {
        self.init(ContentAttributes())
        contentType = type
    }

    /// Creates an empty set.
    public override convenience init() { self.init(ContentAttributes()) }

    init(_ attributes: ContentAttributes) {
        self.attributes = Lock(attributes)
        super.init()
    }

    var content: ContentAttributes { attributes.withLock { $0 } }

    /// An independent set with the same values.
    public func copy(with zone: NSZone? = nil) -> Any { CSSearchableItemAttributeSet(content) }

    public override func copy() -> Any { copy(with: nil) }

    // MARK: Content type

    /// The content's uniform type identifier.
    public var contentType: String? {
        get { self["contentType"] }
        set { self["contentType"] = newValue }
    }

    /// The content's type and all types that it conforms to, as uniform type identifiers.
    public var contentTypeTree: [String]? {
        get { self["contentTypeTree"] }
        set { self["contentTypeTree"] = newValue }
    }

    // MARK: Related index items

    /// The item that the activity is about. The activity is indexed only while the item is, and deleted with it.
    public var relatedUniqueIdentifier: String? {
        get { self["relatedUniqueIdentifier"] }
        set { self["relatedUniqueIdentifier"] = newValue }
    }

    /// As `relatedUniqueIdentifier`, but the activity outlives the item.
    public var weakRelatedUniqueIdentifier: String? {
        get { self["weakRelatedUniqueIdentifier"] }
        set { self["weakRelatedUniqueIdentifier"] = newValue }
    }

    /// The item's group.
    public var domainIdentifier: String? {
        get { self["domainIdentifier"] }
        set { self["domainIdentifier"] = newValue }
    }

    // MARK: Stored values

    subscript<T: AttributeValue>(name: String) -> T? {
        get { attributes.withLock { $0.entries[ExactText(name)] }.flatMap { T(attribute: $0) } }
        set {
            let value = newValue?.attribute
            attributes.withLock { $0.entries[ExactText(name)] = value }
        }
    }
}

protocol AttributeValue {
    init?(attribute: Value)
    var attribute: Value { get }
}

extension String: AttributeValue {
    init?(attribute: Value) {
        guard case .string(let text) = attribute else { return nil }
        self = text.text
    }
    var attribute: Value { .string(self) }
}

extension Array: AttributeValue where Element: AttributeValue {
    /// Omits elements of other types.
    init?(attribute: Value) {
        guard case .array(let items) = attribute else { return nil }
        self = items.compactMap { Element(attribute: $0) }
    }
    var attribute: Value { .array(map(\.attribute)) }
}

extension Date: AttributeValue {
    init?(attribute: Value) {
        guard case .date(let seconds) = attribute else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
    var attribute: Value { .date(timeIntervalSinceReferenceDate) }
}

extension URL: AttributeValue {
    init?(attribute: Value) {
        guard case .url(let text) = attribute else { return nil }
        self.init(string: text.text)
    }
    var attribute: Value { .url(absoluteString) }
}

extension Data: AttributeValue {
    init?(attribute: Value) {
        guard case .bytes(let bytes) = attribute else { return nil }
        self.init(bytes)
    }
    var attribute: Value { .bytes(Array(self)) }
}

/// `NSNumber` cannot conform to a protocol with an initializer.
struct NumberAttribute: AttributeValue {
    let number: NSNumber

    init?(_ number: NSNumber?) {
        guard let number else { return nil }
        self.number = number
    }

    init?(attribute: Value) {
        switch attribute {
        case .boolean(let value): number = NSNumber(value: value)
        case .signed(let value): number = NSNumber(value: value)
        case .unsigned(let value): number = NSNumber(value: value)
        case .double(let value): number = NSNumber(value: value)
        default: return nil
        }
    }
    var attribute: Value { .number(number) }
}
