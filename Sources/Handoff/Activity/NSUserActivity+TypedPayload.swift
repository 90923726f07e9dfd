// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

extension NSUserActivity {
    /// Why a payload could not be set or read.
    public enum TypedPayloadError: Error, Hashable, Sendable {
        /// The payload is not a keyed container, contains unsupported values, or threw while it was encoded.
        case encodingError
        /// `userInfo` is nil or empty, or lacks values that the type needs.
        case invalidContent
    }

    /// Replaces `userInfo` with the encoded payload.
    ///
    /// ```swift
    /// struct Reading: Codable {
    ///     var book: UUID
    ///     var page: Int
    /// }
    /// try activity.setTypedPayload(Reading(book: book.id, page: 41))
    /// ```
    ///
    /// The keys are the coding keys. `Date`, `Data`, `URL`, `UUID`, dictionaries and arrays are stored as such. The
    /// type must encode itself with keys, as structs do, and nest at most 64 containers.
    ///
    /// Throws `TypedPayloadError.encodingError`, without changes.
    public func setTypedPayload<T>(_ payload: T) throws where T: Decodable, T: Encodable {
        guard let entries = try? PayloadEncoder.entries(of: payload) else { throw TypedPayloadError.encodingError }
        update { $0.userInfo = entries }
    }

    /// Decodes the payload in `userInfo`.
    ///
    /// ```swift
    /// let reading = try activity.typedPayload(Reading.self)
    /// ```
    ///
    /// Ignores entries that the type does not read. Throws `TypedPayloadError.invalidContent`.
    public func typedPayload<T>(_ type: T.Type) throws -> T where T: Decodable, T: Encodable {
        guard let entries = content.userInfo, !entries.isEmpty,
            let payload = try? PayloadDecoder(.dictionary(entries)).decode(type)
        else { throw TypedPayloadError.invalidContent }
        return payload
    }
}
