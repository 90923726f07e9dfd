// SPDX-License-Identifier: Apache-2.0

@testable import HandoffWire

extension SampleFrames {
    static let peerOfActivities: [(name: String, frame: PeerFrame)] = [
        (
            "hello",
            PeerFrame(
                .hello(
                    PeerHello(
                        boot: BootID(0x0123_4567_89AB_CDEF), rosterDigest: Array(repeating: 7, count: 32),
                        software: DisplayText(cleaning: "handoffd 0.1"), choice: 3, port: 47474, time: noon)))
        ),
        (
            "roster",
            PeerFrame(
                .roster(
                    RosterUpdate(
                        statements: [statement],
                        secrets: [BeaconSecret(statement: statementID, secret: Array(repeating: 8, count: 32))])))
        ),
        (
            "board snapshot",
            PeerFrame(.advertising(.boardSnapshot(BoardSnapshot(revision: 3, offers: [offer, scriptOffer]))))
        ),
        (
            "board delta",
            PeerFrame(.advertising(.boardDelta(BoardDelta(revision: 4, upserted: [offer], withdrawn: [activity]))))
        ),
        ("board request", PeerFrame(.advertising(.boardRequest))),
        (
            "fetch",
            PeerFrame(
                .continuation(.fetch(FetchRequest(activity: activity, continuation: continuation, team: team))),
                request: 1)
        ),
        (
            "fetch of a web page",
            PeerFrame(
                .continuation(
                    .fetch(
                        FetchRequest(activity: activity, continuation: continuation, team: team, onlyWebPage: true))),
                request: 2)
        ),
        ("fetched", PeerFrame(.continuation(.fetched(carried, saving: .microseconds(1500))), answer: 1)),
        ("continued", PeerFrame(.continuation(.continued(activity, continuation)))),
        ("cancel", PeerFrame(.continuation(.cancelFetch(continuation)))),
        ("ping", PeerFrame(.ping, request: 9)),
        ("pong", PeerFrame(.pong, answer: 9)),
        ("failure", PeerFrame(.failure(failure), answer: 1)),
        ("goodbye", PeerFrame(.goodbye(Failure(.versionUnsupported, "1 to 1 are spoken here")))),
        ("fetched, as kept", PeerFrame(.continuation(.fetched(carried, saving: .zero, saved: noon)), answer: 1)),
        ("open stream", PeerFrame(.streams(.openStream(activity, continuation)), request: 3)),
        ("stream", PeerFrame(.streams(.stream(streamTicket.token)), answer: 3)),
        (
            "board delta of a kept activity",
            PeerFrame(.advertising(.boardDelta(BoardDelta(revision: 5, upserted: [keptOffer]))))
        ),
        (
            "board delta of a page",
            PeerFrame(.advertising(.boardDelta(BoardDelta(revision: 6, upserted: [browsedOffer]))))
        ),
        ("stream lost", PeerFrame(.streams(.streamLost(streamTicket.token, failure)))),
    ]

    static let stream: [(name: String, message: StreamMessage)] = [
        (
            "hello",
            .hello(StreamHello(token: streamTicket.token, activity: activity, continuation: continuation))
        ),
        ("ready", .ready(version: 1)),
        ("failure", .failure(failure)),
    ]
}
