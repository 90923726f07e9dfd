// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalFrame {
    package func encoded() throws(WireError) -> [UInt8] {
        var frame = PBLocalFrame()
        frame.request = request
        frame.answer = answer
        frame.body = message.wire
        return try frame.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        let frame = try PBLocalFrame.decode(bytes)
        self.init(try LocalMessage(frame.body), request: frame.request, answer: frame.answer)
    }
}

extension LocalMessage {
    fileprivate var wire: PBLocalFrame.OneOf_Body? {
        switch self {
        case .hello(let hello): .hello(PBLocalHello(hello))
        case .welcome(let welcome): .welcome(PBWelcome(welcome))
        case .failure(let failure): .failure(PBFailure(failure))
        case .done(let accepted): .done(.with { $0.accepted = accepted })
        case .advertising(let message): message.wire
        case .continuation(let message): message.wire
        case .documents(let message): message.wire
        case .identity(let message): message.wire
        case .launching(let message): message.wire
        case .policy(let message): message.wire
        case .presence(let message): message.wire
        case .sending(let message): message.wire
        case .status(let message): message.wire
        case .streams(let message): message.wire
        case .teams(let message): message.wire
        case .webChoices(let message): message.wire
        case .webLinks(let message): message.wire
        case .unknown, .unreadable: nil
        }
    }

    fileprivate init(_ body: PBLocalFrame.OneOf_Body?) throws(WireError) {
        switch body {
        case .hello(let hello)?: self = .hello(try LocalHello(hello))
        case .welcome(let welcome)?: self = .welcome(Welcome(welcome))
        case .failure(let failure)?: self = .failure(Failure(failure))
        case .done(let done)?: self = .done(accepted: done.accepted)
        case let body?: self = try Self.featureMessage(body) ?? .unknown
        case nil: self = .unknown
        }
    }

    /// The most frequent first.
    private static func featureMessage(_ body: PBLocalFrame.OneOf_Body) throws(WireError) -> LocalMessage? {
        if let message = try Advertising(body) { return .advertising(message) }
        if let message = try Continuation(body) { return .continuation(message) }
        if let message = try Streams(body) { return .streams(message) }
        if let message = try Documents(body) { return .documents(message) }
        if let message = try Identity(body) { return .identity(message) }
        if let message = try Launching(body) { return .launching(message) }
        if let message = try Policy(body) { return .policy(message) }
        if let message = try Presence(body) { return .presence(message) }
        if let message = try Sending(body) { return .sending(message) }
        if let message = try Status(body) { return .status(message) }
        if let message = try Teams(body) { return .teams(message) }
        if let message = try WebChoices(body) { return .webChoices(message) }
        if let message = try WebLinks(body) { return .webLinks(message) }
        return nil
    }
}

extension DisplayText {
    static func name(_ raw: String) -> DisplayText { DisplayText(cleaning: raw, limit: Limits.nameCharacters) }
}
