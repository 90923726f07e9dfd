// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

extension NSUserActivity {
    /// Why a payload could not be set or read.
    public enum TypedPayloadError: Error, Hashable, Sendable {
        /// The payload is not encoded as a keyed container, holds what `userInfo` cannot, or threw while it was encoded.
        case encodingError
        /// `userInfo` is nil or empty, or does not hold what the type needs.
        case invalidContent
    }

    /// Sets `userInfo` to the encoded payload. All that was there before is gone.
    ///
    /// ```swift
    /// struct Reading: Codable {
    ///     var book: UUID
    ///     var page: Int
    /// }
    /// try activity.setTypedPayload(Reading(book: book.id, page: 41))
    /// ```
    ///
    /// The keys are the coding keys. `Date`, `Data`, `URL` and `UUID` are stored as what they are, at any depth;
    /// dictionaries and arrays as such. The type needs to be encoded with keys, as a struct with properties is: a number or
    /// an array alone is an error, and so are more than 64 containers in one another.
    ///
    /// Throws `TypedPayloadError.encodingError`, and changes nothing then.
    public func setTypedPayload<T>(_ payload: T) throws where T: Decodable, T: Encodable {
        guard let entries = try? PayloadEncoder.entries(of: payload) else { throw TypedPayloadError.encodingError }
        update { $0.userInfo = entries }
    }

    /// The payload that `userInfo` holds.
    ///
    /// ```swift
    /// let reading = try activity.typedPayload(Reading.self)
    /// ```
    ///
    /// Entries that the type does not ask for are passed over, so a newer app may add some.
    ///
    /// Throws `TypedPayloadError.invalidContent`.
    public func typedPayload<T>(_ type: T.Type) throws -> T where T: Decodable, T: Encodable {
        guard let entries = content.userInfo, !entries.isEmpty,
            let payload = try? PayloadDecoder(.dictionary(entries)).decode(type)
        else { throw TypedPayloadError.invalidContent }
        return payload
    }
}
