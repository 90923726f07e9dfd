// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

// The daemon checks permission before content, so a message that cannot be read keeps its kind.

extension LocalFrame {
    /// Nil if its numbers are unreadable too.
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
        case .publish, .withdraw, .changed: return .advertising(.changed(activity))
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
        case .answerJoin: return .identity(.answerJoin(device, admit: false))
        case .setPolicy: return .policy(.setPolicy(PolicyChange(PolicySubject(.receiving), isOff: true)))
        case .setPresence: return .presence(.setPresence(PresenceWord(.here)))
        case .sendActivity: return .sending(.sendActivity(activity, to: ""))
        case .unsendActivity: return .sending(.unsendActivity(activity))
        case .dismissSent: return .sending(.dismissSent(activity, from: device))
        case .openStream: return .streams(.openStream(continuation))
        case .streamEnded:
            return .streams(.streamEnded(StreamEnd(stream: StreamID(uncheckedBytes: zeros(16)), byteCount: 0)))
        case .distrustTeam: return .teams(.distrustTeam(TeamFingerprint(uncheckedBytes: zeros(32))))
        case .chooseForHost: return blankHost.map { .webChoices(.chooseForHost($0, nil)) } ?? .unknown
        case .refreshSites: return .webLinks(.refreshSites(nil))
        // Any other message of a client can be read.
        default: return .done(accepted: false)
        }
    }

    private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
    private static let blankContainer = try? ContainerID("a")
    private static let blankPath = try? AbsolutePath("/")
    private static let blankHost = try? WebHost("a.example")
}
