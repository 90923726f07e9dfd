// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Message {
    func bytes() throws(WireError) -> [UInt8] {
        do { return try serializedBytes() } catch { throw WireError(.tooLarge, "too large to encode") }
    }

    static func decode(_ bytes: some Collection<UInt8>) throws(WireError) -> Self {
        do { return try Self(serializedBytes: Array(bytes)) } catch {
            throw WireError(.malformed, "not a message of this protocol")
        }
    }
}

extension [UInt8] {
    var data: Data { Data(self) }
}
