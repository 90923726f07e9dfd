// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import HandoffWire

/// Unchecked signature. All cores check, because checks are expensive but independent.
struct UnprovenStatement: Sendable {
    /// Trusted only if from our own disk.
    let statement: VerifiedStatement
    private let signer: DevicePublicKey

    init(_ signed: SignedStatement, account: AccountID, keys: inout KnownKeys) throws(StatementRejection) {
        statement = try VerifiedStatement(unproven: signed, account: account, keys: &keys)
        signer = try keys.key(signed.signer)
    }

    func proven() throws(StatementRejection) -> VerifiedStatement {
        let bytes = VerifiedStatement.signedBytes(statement.signed.statement)
        guard signer.isValid(signature: statement.signed.signature, over: bytes) else { throw .badSignature }
        return statement
    }
}

/// A roster repeats a few keys; parsing a key costs as much as a signature check.
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
    /// Some milliseconds of signatures.
    private static var share: Int { 16 }

    /// Keeps the order; returns when all are done.
    func mapOnAllCores<Mapped: Sendable>(_ transform: @Sendable (Element) -> Mapped) -> [Mapped] {
        guard count > Self.share else { return map(transform) }
        return [Mapped](unsafeUninitializedCapacity: count) { buffer, initialized in
            // Each task writes only its own elements.
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
