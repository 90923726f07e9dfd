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

    static let localOfRecoveryKey: [(name: String, frame: LocalFrame)] = [
        ("show recovery key", LocalFrame(.identity(.showRecoveryKey), request: 11)),
        ("confirm recovery key", LocalFrame(.identity(.confirmRecoveryKey), request: 12)),
        ("new recovery key", LocalFrame(.identity(.newRecoveryKey(evenWithOthers: true)), request: 13)),
        (
            "status with a lost recovery key",
            LocalFrame(
                .status(
                    .status(
                        {
                            var status = DaemonStatus()
                            status.account = account
                            status.recoveryKey = .lost
                            return status
                        }())), answer: 5)
        ),
        (
            "status with browsers",
            LocalFrame(
                .status(
                    .status(
                        {
                            var status = DaemonStatus()
                            status.browsers = ["Firefox", "Google Chrome"].map { DisplayText(cleaning: $0) }
                            return status
                        }())), answer: 6)
        ),
    ]
}
