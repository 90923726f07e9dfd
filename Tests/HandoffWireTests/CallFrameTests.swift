// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

// Shows X08.
@Suite struct CallFrameTests {
    private let proof = [UInt8](repeating: 3, count: CallFrame.proofBytes)

    @Test func comesBackFromItsBytesAndFromNoBeginningOfThem() throws {
        let frame = try CallFrame(proofs: [proof, proof], hello: [22, 3, 1])
        #expect(frame.encoded.count == 4 + 2 * 16 + 3)
        #expect(try CallFrame(frame.encoded) == frame)
        for count in 0..<frame.encoded.count { #expect(try CallFrame(Array(frame.encoded.prefix(count))) == nil) }
        #expect(throws: WireError.self) { try CallFrame(frame.encoded + [0]) }
    }

    @Test func proofsAndHelloAreLimited() throws {
        let most = try CallFrame(
            proofs: Array(repeating: proof, count: Limits.callProofs),
            hello: [UInt8](repeating: 1, count: Limits.callHelloBytes))
        #expect(most.encoded.count == CallFrame.mostBytes)
        #expect(try CallFrame(most.encoded) == most)
        #expect(throws: WireError.self) {
            try CallFrame(proofs: Array(repeating: proof, count: Limits.callProofs + 1), hello: [1])
        }
        #expect(throws: WireError.self) {
            try CallFrame(proofs: [proof], hello: [UInt8](repeating: 1, count: Limits.callHelloBytes + 1))
        }
        for begin in [[1, UInt8(Limits.callProofs + 1), 0, 1], [1, 1, 16, 1], [1, 0, 0, 1], [1, 1, 0, 0]] as [[UInt8]] {
            #expect(throws: WireError.self) { try CallFrame(begin) }
        }
    }

    @Test func namesACallerThatBeginsWithTLS() {
        let error = #expect(throws: WireError.self) { try CallFrame([22]) }
        #expect(error?.reason.contains("older version") == true)
    }
}
