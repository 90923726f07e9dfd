// SPDX-License-Identifier: Apache-2.0

@testable import HandoffWire

extension SampleFrames {
    static let peerOfPresence: [(name: String, frame: PeerFrame)] = [
        (
            "board delta, padded",
            {
                var frame = PeerFrame(.advertising(.boardDelta(BoardDelta(revision: 7, withdrawn: [activity]))))
                frame.padding = 5
                return frame
            }()
        )
    ]

    static let localOfPresence: [(name: String, frame: LocalFrame)] = [
        (
            "set presence",
            LocalFrame(.presence(.setPresence(PresenceWord(.elsewhere, problem: laptop))), request: 18)
        ),
        ("set sleep", LocalFrame(.presence(.setSleep(true)), request: 19)),
    ]
}
