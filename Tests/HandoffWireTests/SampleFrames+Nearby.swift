// SPDX-License-Identifier: Apache-2.0

@testable import HandoffWire

extension SampleFrames {
    /// Joining by a list.
    static let localOfNearby: [(name: String, frame: LocalFrame)] = [
        (
            "create announced invite",
            LocalFrame(.identity(.createInvite(asking: true, announced: true)), request: 8)
        ),
        ("list nearby", LocalFrame(.identity(.listNearby), request: 8)),
        (
            "nearby list",
            LocalFrame(
                .identity(
                    .nearbyList([
                        NearbyInvite(
                            code: "MFZWI3D", name: DisplayText(cleaning: "laptop"), kind: .laptop,
                            address: "192.0.2.1:47474")
                    ])), answer: 8)
        ),
        (
            "join nearby",
            LocalFrame(
                .identity(.joinAccount(code: "ABCDEFG-HIJKLMN", address: "192.0.2.1:7737", nearby: true)), request: 9)
        ),
        ("confirm join", LocalFrame(.identity(.confirmJoin(matches: true)), request: 10)),
        ("join left", LocalFrame(.identity(.joinLeft(deviceSummary.device)), answer: 8)),
    ]
}
