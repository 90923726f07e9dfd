// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

/// Local.proto lists the sender of each message.
package struct LocalFrame: Hashable, Sendable {
    /// For a list's elements.
    package static let listBytes = Limits.frameBytes - 1024

    /// Not zero: requests an answer, which repeats it in `answer`.
    package var request: UInt64
    /// Not zero: answers this request.
    package var answer: UInt64
    package var message: LocalMessage

    package init(_ message: LocalMessage, request: UInt64 = 0, answer: UInt64 = 0) {
        self.request = request
        self.answer = answer
        self.message = message
    }
}

/// `LocalMessage.permission` in `HandoffCore` says who may send which.
package enum LocalMessage: Hashable, Sendable {
    case hello(LocalHello)
    case welcome(Welcome)
    case failure(Failure)
    /// The hook's result; true without a hook.
    case done(accepted: Bool)

    case advertising(Advertising)
    case continuation(Continuation)
    case documents(Documents)
    case history(History)
    case identity(Identity)
    case launching(Launching)
    case phones(Phones)
    case policy(Policy)
    case presence(Presence)
    case sending(Sending)
    case status(Status)
    case streams(Streams)
    case teams(Teams)
    case webChoices(WebChoices)
    case webLinks(WebLinks)

    /// From a newer version: answered with `unimplemented` if it requests an answer.
    case unknown
    /// The first value has only the request's kind.
    indirect case unreadable(LocalMessage, Failure)
}

extension Sequence {
    /// Skips elements that do not fit. `reserved`: bytes for the rest.
    package func fitting(reserved: Int = 0, _ list: ([Element]) -> LocalMessage) -> [Element] {
        var room = LocalFrame.listBytes - reserved
        return filter { element in
            // Its own frame is larger than its share.
            guard let bytes = try? LocalFrame(list([element])).encoded().count, bytes <= room else { return false }
            room -= bytes
            return true
        }
    }
}

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
        case .history(let message): message.wire
        case .identity(let message): message.wire
        case .launching(let message): message.wire
        case .phones(let message): message.wire
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
        if let message = try History(body) { return .history(message) }
        if let message = try Identity(body) { return .identity(message) }
        if let message = try Launching(body) { return .launching(message) }
        if let message = try Phones(body) { return .phones(message) }
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

// The daemon checks permission before content, so an unreadable message keeps its kind.

extension LocalFrame {
    package init?(unreadable bytes: some Collection<UInt8>, because error: WireError) {
        guard let frame = try? PBLocalFrame.decode(bytes) else { return nil }
        let isLimit = error.code == .limitReached || error.code == .tooLarge
        if frame.answer != 0 {
            // Only the state can be too large.
            let failure = Failure(isLimit ? .payloadTooLarge : .malformed, error.reason)
            self.init(.failure(failure), answer: frame.answer)
        } else if frame.request != 0 {
            let kind = frame.body.map { LocalMessage.blank(of: $0) } ?? .unknown
            let failure = Failure(isLimit ? .limitReached : .malformed, error.reason)
            self.init(.unreadable(kind, failure), request: frame.request)
        } else {
            return nil
        }
    }
}

extension LocalMessage {
    /// All messages of the daemon become `done`.
    fileprivate static func blank(of body: PBLocalFrame.OneOf_Body) -> LocalMessage {
        let activity = ActivityID(uncheckedBytes: zeros(16))
        let continuation = ContinuationID(uncheckedBytes: zeros(16))
        let device = DeviceID(uncheckedBytes: zeros(32))
        switch body {
        case .publish, .withdraw, .withhold, .changed: return .advertising(.changed(activity))
        case .deleteSaved: return .advertising(.deleteSaved(.all))
        case .listActivities: return .advertising(.listActivities(watch: false, all: false))
        case .startContinuation: return .continuation(.startContinuation(StartContinuation(activity: activity)))
        case .listFolders: return .documents(.listFolders(check: false))
        case .mapFolder, .unmapFolder: return blankContainer.map { .documents(.unmapFolder($0)) } ?? .unknown
        case .showContainers: return .documents(.showContainers)
        case .listVersions: return .documents(.listVersions(nil))
        case .restoreVersion: return .documents(.restoreVersion(VersionID(uncheckedBytes: zeros(16))))
        case .downloadDocument: return blankPath.map { .documents(.downloadDocument($0)) } ?? .unknown
        case .cancelContinuation: return .documents(.cancelContinuation(continuation))
        case .openHistory, .openSearch, .forgetHistory: return .history(.forgetHistory(.entries([])))
        case .changeIndex: return .history(.fetchClientState(""))
        case .preferApp: return blankBundle.map { .launching(.preferApp($0, isPreferred: false)) } ?? .unknown
        case .answerJoin: return .identity(.answerJoin(device, admit: false))
        case .setPolicy: return .policy(.setPolicy(PolicyChange(PolicySubject(.receiving), isOff: true)))
        case .setPresence: return .presence(.setPresence(PresenceWord(.here)))
        case .setSleep: return .presence(.setSleep(false))
        case .explainOffer: return .status(.explainOffer(OfferQuestion(device: "", type: .playingMedia)))
        case .setPhones: return .phones(.setPhones([]))
        case .sendToPhone: return blankPath.map { .phones(.sendToPhone(.file($0), to: "")) } ?? .unknown
        case .sendActivity: return .sending(.sendActivity(activity, to: ""))
        case .unsendActivity: return .sending(.unsendActivity(activity))
        case .dismissSent: return .sending(.dismissSent(activity, from: device))
        case .openStream: return .streams(.openStream(continuation))
        case .streamEnded:
            return .streams(.streamEnded(StreamEnd(stream: StreamID(uncheckedBytes: zeros(16)), byteCount: 0)))
        case .distrustTeam: return .teams(.distrustTeam(TeamFingerprint(uncheckedBytes: zeros(32))))
        case .chooseForHost: return blankHost.map { .webChoices(.chooseForHost($0, nil)) } ?? .unknown
        case .refreshSites: return .webLinks(.refreshSites(nil))
        // Other messages of clients can be read.
        default: return .done(accepted: false)
        }
    }

    private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
    private static let blankBundle = try? BundleID("a")
    private static let blankContainer = try? ContainerID("a")
    private static let blankPath = try? AbsolutePath("/")
    private static let blankHost = try? WebHost("a.example")
}
