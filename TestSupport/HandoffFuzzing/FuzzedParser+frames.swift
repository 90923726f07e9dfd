// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

extension FuzzedParser {
    /// Received over a connection or in a datagram.
    static let frames = [
        assembler, call, peerFrame, localFrame, enrollFrame, streamFrame, beacon, announcement, indexRequest,
        indexAnswer,
        deletions,
    ]

    private static let indexRequest = FuzzedParser("index-request") { bytes in
        try roundTrip(bytes, parse: { try IndexRequest(encoded: $0) }, write: { try $0.encoded() })
    }

    private static let indexAnswer = FuzzedParser("index-answer") { bytes in
        try roundTrip(bytes, parse: { try IndexAnswer(encoded: $0) }, write: { try $0.encoded() })
    }

    /// A file of deletions that an app wrote.
    private static let deletions = FuzzedParser("deletions") { bytes in
        try roundTrip(bytes, parse: { try SavedActivities(encoded: $0) }, write: { try $0.encoded() })
    }

    private static let peerFrame = FuzzedParser("peer-frame") { bytes in
        if case .hello(let hello)? = try? PeerFrame(encoded: bytes).message {
            try checkVersion(ProtocolVersion.peer, hello.minimumVersion, hello.maximumVersion)
        }
        return try roundTrip(bytes, parse: { try PeerFrame(encoded: $0) }, write: { try $0.encoded() })
    }

    private static let localFrame = FuzzedParser("local-frame") { bytes in
        if case .hello(let hello)? = try? LocalFrame(encoded: bytes).message {
            try checkVersion(ProtocolVersion.local, hello.minimumVersion, hello.maximumVersion)
        }
        return try roundTrip(bytes, parse: { try LocalFrame(encoded: $0) }, write: { try $0.encoded() })
    }

    private static let enrollFrame = FuzzedParser("enroll-frame") { bytes in
        if case .join(let request)? = try? EnrollMessage(encoded: bytes) {
            try checkVersion(ProtocolVersion.enroll, request.minimumVersion, request.maximumVersion)
        }
        return try roundTrip(bytes, parse: { try EnrollMessage(encoded: $0) }, write: { try $0.encoded() })
    }

    private static let streamFrame = FuzzedParser("stream-frame") { bytes in
        if case .hello(let hello)? = try? StreamMessage(encoded: bytes) {
            try checkVersion(ProtocolVersion.stream, hello.minimumVersion, hello.maximumVersion)
        }
        return try roundTrip(bytes, parse: { try StreamMessage(encoded: $0) }, write: { try $0.encoded() })
    }

    /// No prefix may be a call.
    private static let call = FuzzedParser("call") { bytes in
        guard let call = try? CallFrame(bytes) else { return .refused }
        try promise(call.encoded == bytes, "\(call) was read from other bytes")
        for count in [0, 1, 3, 4, bytes.count / 2, bytes.count - 1] where count < bytes.count {
            try promise(
                (try? CallFrame(Array(bytes.prefix(count)))) == .some(nil), "\(count) bytes of it are not waited for")
        }
        return .taken
    }

    /// The plaintext; `sealed-beacon` covers the rest.
    private static let beacon = FuzzedParser("beacon") { bytes in
        try roundTrip(bytes, parse: { try Beacon(encoded: $0) }, write: { try $0.encoded() })
    }

    private static let announcement = FuzzedParser("announcement") { bytes in
        let datagram = [ProtocolVersion.announcement] + bytes
        return try roundTrip(datagram, parse: { try Announcement(datagram: $0) }, write: { try $0.datagram() })
    }

    /// Bytes of a connection. The first selects the size of pieces, which must not matter.
    private static let assembler = FuzzedParser("frames") { bytes in
        let size = Int(bytes.first ?? 0) + 1
        let stream = Array(bytes.dropFirst())
        let atOnce = Assembled(stream, inPiecesOf: max(stream.count, 1))
        let inPieces = Assembled(stream, inPiecesOf: size)
        try promise(atOnce == inPieces, "cut into pieces of \(size) bytes: \(inPieces); at once: \(atOnce)")
        try promise(atOnce.frames.allSatisfy { (1...Assembled.limit).contains($0.count) }, "a frame over the limit")
        return atOnce.error == nil && !atOnce.frames.isEmpty ? .taken : .refused
    }

    private struct Assembled: Equatable {
        static let limit = 512
        var frames: [[UInt8]] = []
        var error: WireError?
        var pending = 0

        init(_ stream: [UInt8], inPiecesOf size: Int) {
            var assembler = FrameAssembler(limit: Self.limit)
            do throws(WireError) {
                for start in stride(from: 0, to: stream.count, by: size) {
                    assembler.append(stream[start..<min(start + size, stream.count)])
                    while let frame = try assembler.next() { frames.append(frame) }
                }
                pending = assembler.pendingBytes
            } catch {
                self.error = error
            }
        }
    }

    private static func checkVersion(_ ours: ClosedRange<UInt32>, _ minimum: UInt32, _ maximum: UInt32) throws {
        guard let agreed = ProtocolVersion.agreed(ours: ours, theirMinimum: minimum, theirMaximum: maximum) else {
            return
        }
        try promise(
            ours.contains(agreed) && minimum <= agreed && agreed <= maximum,
            "version \(agreed) for \(minimum) to \(maximum)")
    }
}
