// SPDX-License-Identifier: Apache-2.0

package struct PeerFrame: Hashable, Sendable {
    /// Not zero: requests an answer, which repeats it in `answer`.
    package var request: UInt64
    /// Not zero: answers this request.
    package var answer: UInt64
    /// Bytes.
    var padding = 0
    package var message: PeerMessage

    package init(_ message: PeerMessage, request: UInt64 = 0, answer: UInt64 = 0) {
        self.request = request
        self.answer = answer
        self.message = message
    }
}

package enum PeerMessage: Hashable, Sendable {
    case hello(PeerHello)
    case roster(RosterUpdate)
    case ping
    case pong
    case failure(Failure)
    case goodbye(Failure)

    case advertising(Advertising)
    case continuation(Continuation)
    case sending(Sending)
    case streams(Streams)

    /// Of a newer version: answered with `unimplemented` if it requests an answer.
    case unknown
}

package struct PeerHello: Hashable, Sendable {
    package var minimumVersion: UInt32
    package var maximumVersion: UInt32
    package var boot: BootID
    /// 32 bytes; equal digests need no roster frame.
    package var rosterDigest: [UInt8]
    package var software: DisplayText
    /// The device with the lower id numbers the links that it chooses. Zero from the other.
    package var choice: UInt64
    /// For calls to the sender's current address; zero: none.
    package var port: UInt16

    package init(
        versions: ClosedRange<UInt32> = ProtocolVersion.peer, boot: BootID, rosterDigest: [UInt8],
        software: DisplayText, choice: UInt64 = 0, port: UInt16 = 0
    ) {
        self.minimumVersion = versions.lowerBound
        self.maximumVersion = versions.upperBound
        self.boot = boot
        self.rosterDigest = rosterDigest
        self.software = software
        self.choice = choice
        self.port = port
    }
}

extension PeerFrame {
    /// Hides what changed on a board: locking a screen looks like turning a page.
    package func padded(within limit: Int = Limits.frameBytes) -> PeerFrame {
        guard case .advertising = message, padding == 0, let length = try? encoded().count else { return self }
        let step = Limits.boardFrameStep
        var room = (step - length % step) % step
        guard room > 0 else { return self }
        // No padding field takes exactly 1, 2 or 130 bytes.
        if Self.padding(filling: room) == nil { room += step }
        guard length + room <= limit, let bytes = Self.padding(filling: room) else { return self }
        var frame = self
        frame.padding = bytes
        return frame
    }

    private static func padding(filling bytes: Int) -> Int? {
        let withShortLength = bytes - 2
        if (1...127).contains(withShortLength) { return withShortLength }
        let withLongLength = bytes - 3
        return withLongLength >= 128 ? withLongLength : nil
    }
}
