// SPDX-License-Identifier: Apache-2.0

/// A caller's first bytes, in one write: proofs and first TLS flight.
///
///     version, 1 byte | proofs, 1 byte | length of the hello, 2 bytes | proofs, 16 bytes each | hello
package struct CallFrame: Hashable, Sendable {
    package static let proofBytes = 16
    package static let mostBytes = headerBytes + Limits.callProofs * proofBytes + Limits.callHelloBytes

    package let proofs: [[UInt8]]
    package let hello: [UInt8]

    private static let headerBytes = 4
    private static let firstOfTLS: UInt8 = 22

    /// Throws `.limitReached`.
    package init(proofs: [[UInt8]], hello: [UInt8]) throws(WireError) {
        guard (1...Limits.callProofs).contains(proofs.count), (1...Limits.callHelloBytes).contains(hello.count) else {
            throw WireError(.limitReached, "a call has 1 to \(Limits.callProofs) proofs and a hello")
        }
        self.proofs = proofs
        self.hello = hello
    }

    /// Nil: incomplete. Throws `.unknownKind`, `.limitReached` or `.malformed` as early as possible.
    package init?(_ bytes: [UInt8]) throws(WireError) {
        if let first = bytes.first, first != ProtocolVersion.call {
            let guess = first == Self.firstOfTLS ? ": it begins with TLS, as an older version does; update it" : ""
            throw WireError(.unknownKind, "the data received is not a call of this version\(guess)")
        }
        guard bytes.count >= Self.headerBytes else { return nil }
        let (count, length) = (Int(bytes[1]), Int(bytes[2]) << 8 | Int(bytes[3]))
        guard (1...Limits.callProofs).contains(count), (1...Limits.callHelloBytes).contains(length) else {
            throw WireError(.limitReached, "a call with \(count) proofs and \(length) bytes of TLS")
        }
        let helloStart = Self.headerBytes + count * Self.proofBytes
        // The caller must wait for the answer.
        guard bytes.count <= helloStart + length else { throw WireError(.malformed, "bytes after a call") }
        guard bytes.count == helloStart + length else { return nil }
        proofs = stride(from: Self.headerBytes, to: helloStart, by: Self.proofBytes).map {
            Array(bytes[$0..<$0 + Self.proofBytes])
        }
        hello = Array(bytes[helloStart...])
    }

    package var encoded: [UInt8] {
        let header = [ProtocolVersion.call, UInt8(proofs.count), UInt8(hello.count >> 8), UInt8(hello.count & 255)]
        return header + proofs.flatMap { $0 } + hello
    }
}
