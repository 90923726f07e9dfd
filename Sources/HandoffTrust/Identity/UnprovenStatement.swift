// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import HandoffWire

/// A statement that can be read, but for its signature. To check that is dear, and no signature depends on another: those
/// of many statements are checked on all cores.
struct UnprovenStatement: Sendable {
    /// To be believed as it is only where it comes from our own disk, where it came after its signature was checked.
    let statement: VerifiedStatement
    private let signer: DevicePublicKey

    init(_ signed: SignedStatement, account: AccountID, keys: inout KnownKeys) throws(StatementRejection) {
        statement = try VerifiedStatement(unproven: signed, account: account, keys: &keys)
        signer = try keys.key(signed.signer)
    }

    /// Throws `.badSignature`.
    func proven() throws(StatementRejection) -> VerifiedStatement {
        let bytes = VerifiedStatement.signedBytes(statement.signed.statement)
        guard signer.isValid(signature: statement.signed.signature, over: bytes) else { throw .badSignature }
        return statement
    }
}

/// The keys that statements name, each parsed once: a roster names the same few again and again, and to parse one costs
/// about as much as to check a signature.
struct KnownKeys {
    private var keys: [[UInt8]: DevicePublicKey] = [:]

    mutating func key(_ spki: [UInt8]) throws(StatementRejection) -> DevicePublicKey {
        if let known = keys[spki] { return known }
        do throws(KeyRejection) {
            let key = try DevicePublicKey(spki: spki)
            keys[spki] = key
            return key
        } catch {
            throw .badKey
        }
    }
}

extension Array where Element: Sendable {
    /// Elements that are handed to a core at a time: some milliseconds of signatures.
    private static var share: Int { 16 }

    /// In the same order, each element by itself, on all cores at a time where there are many. Returns when all is done.
    func mapOnAllCores<Mapped: Sendable>(_ transform: @Sendable (Element) -> Mapped) -> [Mapped] {
        guard count > Self.share else { return map(transform) }
        return [Mapped](unsafeUninitializedCapacity: count) { buffer, initialized in
            // Each place is written once, by whoever has the share that it is in, and read after all are done.
            nonisolated(unsafe) let places = buffer
            DispatchQueue.concurrentPerform(iterations: (count + Self.share - 1) / Self.share) { number in
                for index in number * Self.share..<Swift.min(count, (number + 1) * Self.share) {
                    places.initializeElement(at: index, to: transform(self[index]))
                }
            }
            initialized = count
        }
    }
}
