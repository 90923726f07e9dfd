// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

package struct PeerFrame: Hashable, Sendable {
    /// Not zero: requests an answer, which repeats it in `answer`.
    package var request: UInt64
    /// Not zero: answers this request.
    package var answer: UInt64
    /// Bytes, as received.
    var padding = 0
    private var isPadded = false
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

    /// From a newer version: answered with `unimplemented` if it requests an answer.
    case unknown
}

package struct PeerHello: Hashable, Sendable {
    package var minimumVersion: UInt32
    package var maximumVersion: UInt32
    package var boot: BootID
    /// 32 bytes; equal digests need no roster frame.
    package var rosterDigest: [UInt8]
    package var software: DisplayText
    /// The device with the lower id numbers the links that it chooses; the other sends zero.
    package var choice: UInt64
    /// For calls to the sender's current address; zero: none.
    package var port: UInt16
    /// The sender's clock. Nil: an older version.
    package var time: WallTime?

    package init(
        versions: ClosedRange<UInt32> = ProtocolVersion.peer, boot: BootID, rosterDigest: [UInt8],
        software: DisplayText, choice: UInt64 = 0, port: UInt16 = 0,
        time: WallTime? = nil
    ) {
        self.minimumVersion = versions.lowerBound
        self.maximumVersion = versions.upperBound
        self.boot = boot
        self.rosterDigest = rosterDigest
        self.software = software
        self.choice = choice
        self.port = port
        self.time = time
    }
}

extension PeerFrame {
    /// Hides what changed: locking a screen looks like turning a page.
    package func padded() -> PeerFrame {
        guard case .advertising = message else { return self }
        var frame = self
        frame.isPadded = true
        return frame
    }

    /// Empty if the frame would become too long.
    static func padding(after length: Int, within limit: Int = Limits.frameBytes) -> [UInt8] {
        let step = Limits.boardFrameStep
        var room = (step - length % step) % step
        // No padding field takes exactly 1, 2 or 130 bytes.
        if room > 0, zeros(filling: room) == nil { room += step }
        guard room > 0, length + room <= limit, let zeros = zeros(filling: room) else { return [] }
        let length = zeros < 128 ? [UInt8(zeros)] : [UInt8(zeros & 127 | 128), UInt8(zeros >> 7)]
        return [paddingTag] + length + Array(repeating: 0, count: zeros)
    }

    /// Field 3, with a length.
    private static var paddingTag: UInt8 { 3 << 3 | 2 }

    /// Their length takes one or two of the bytes, up to 16,383.
    private static func zeros(filling bytes: Int) -> Int? {
        let withShortLength = bytes - 2
        if (1...127).contains(withShortLength) { return withShortLength }
        let withLongLength = bytes - 3
        return withLongLength >= 128 ? withLongLength : nil
    }
}

extension PeerFrame {
    package func encoded() throws(WireError) -> [UInt8] {
        var frame = PBPeerFrame()
        frame.request = request
        frame.answer = answer
        if padding > 0 { frame.padding = Array(repeating: 0, count: padding).data }
        frame.body = message.wire
        let bytes = try frame.bytes()
        return isPadded ? bytes + Self.padding(after: bytes.count) : bytes
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        let frame = try PBPeerFrame.decode(bytes)
        self.init(try PeerMessage(frame.body), request: frame.request, answer: frame.answer)
        padding = frame.padding.count
    }
}

extension PeerMessage {
    fileprivate var wire: PBPeerFrame.OneOf_Body? {
        switch self {
        case .hello(let hello): .hello(PBPeerHello(hello))
        case .roster(let update): .roster(PBRosterUpdate(update))
        case .ping: .ping(PBPing())
        case .pong: .pong(PBPong())
        case .failure(let failure): .failure(PBFailure(failure))
        case .goodbye(let failure): .goodbye(.with { $0.why = PBFailure(failure) })
        case .advertising(let message): message.wire
        case .continuation(let message): message.wire
        case .sending(let message): message.wire
        case .streams(let message): message.wire
        case .unknown: nil
        }
    }

    fileprivate init(_ body: PBPeerFrame.OneOf_Body?) throws(WireError) {
        switch body {
        case .hello(let hello)?: self = .hello(try PeerHello(hello))
        case .roster(let update)?: self = .roster(try RosterUpdate(update))
        case .ping?: self = .ping
        case .pong?: self = .pong
        case .failure(let failure)?: self = .failure(Failure(failure))
        case .goodbye(let goodbye)?: self = .goodbye(Failure(goodbye.why))
        case let body?: self = try Self.featureMessage(body) ?? .unknown
        case nil: self = .unknown
        }
    }

    /// The most frequent first.
    private static func featureMessage(_ body: PBPeerFrame.OneOf_Body) throws(WireError) -> PeerMessage? {
        if let message = try Advertising(body) { return .advertising(message) }
        if let message = try Continuation(body) { return .continuation(message) }
        if let message = try Streams(body) { return .streams(message) }
        if let message = try Sending(body) { return .sending(message) }
        return nil
    }
}

extension PBPeerHello {
    init(_ hello: PeerHello) {
        self.init()
        minVersion = hello.minimumVersion
        maxVersion = hello.maximumVersion
        boot = hello.boot.value
        rosterDigest = hello.rosterDigest.data
        software = hello.software.text
        choice = hello.choice
        port = UInt32(hello.port)
        if let time = hello.time { timeMs = time.milliseconds }
    }
}

extension PeerHello {
    init(_ message: PBPeerHello) throws(WireError) {
        guard message.rosterDigest.isEmpty || message.rosterDigest.count == 32 else {
            throw WireError(.malformed, "a roster digest has 32 bytes")
        }
        guard let port = UInt16(exactly: message.port) else { throw WireError(.malformed, "port \(message.port)") }
        self.init(
            boot: BootID(message.boot), rosterDigest: Array(message.rosterDigest),
            software: DisplayText(cleaning: message.software, limit: Limits.nameCharacters), choice: message.choice,
            port: port, time: message.hasTimeMs ? WallTime(milliseconds: message.timeMs) : nil)
        minimumVersion = message.minVersion
        maximumVersion = message.maxVersion
    }
}

extension [PBSignedStatement] {
    func native() throws(WireError) -> [SignedStatement] {
        guard count <= Limits.rosterStatements else {
            throw WireError(.limitReached, "more than \(Limits.rosterStatements) roster statements")
        }
        var statements: [SignedStatement] = []
        for statement in self { statements.append(try SignedStatement(statement)) }
        return statements
    }
}

extension Duration {
    /// In units of 1/`perSecond` second; saturates.
    private func whole(perSecond: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: perSecond)
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / (1_000_000_000_000_000_000 / perSecond))
        return overflow || sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }

    var wholeMilliseconds: Int64 { whole(perSecond: 1000) }
    var wholeMicroseconds: Int64 { whole(perSecond: 1_000_000) }
}
