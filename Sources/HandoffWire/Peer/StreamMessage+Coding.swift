// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension StreamMessage {
    package func encoded() throws(WireError) -> [UInt8] {
        var frame = PBStreamFrame()
        switch self {
        case .hello(let hello):
            frame.hello = .with {
                $0.minVersion = hello.minimumVersion
                $0.maxVersion = hello.maximumVersion
                $0.token = hello.token.bytes.data
                $0.activity = hello.activity.bytes.data
                $0.continuation = hello.continuation.bytes.data
            }
        case .ready(let version): frame.ready = .with { $0.version = version }
        case .failure(let failure): frame.failure = PBFailure(failure)
        }
        return try frame.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        switch try PBStreamFrame.decode(bytes).body {
        case .hello(let message)?:
            var hello = StreamHello(
                token: try StreamToken(bytes: message.token), activity: try ActivityID(bytes: message.activity),
                continuation: try ContinuationID(bytes: message.continuation))
            hello.minimumVersion = message.minVersion
            hello.maximumVersion = message.maxVersion
            self = .hello(hello)
        case .ready(let ready)?: self = .ready(version: ready.version)
        case .failure(let failure)?: self = .failure(Failure(failure))
        case nil: throw WireError(.missingField, "a stream's frame is empty")
        }
    }
}
