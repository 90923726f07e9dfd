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
        ),
        ("offer question", PeerFrame(.advertising(.offerQuestion(type)), request: 8)),
        ("offer answer", PeerFrame(.advertising(.offerAnswer(OfferAnswer(offered: 2))), answer: 8)),
        (
            "offer answer of a locked device",
            PeerFrame(.advertising(.offerAnswer(OfferAnswer(offered: 0, obstacle: .locked))), answer: 8)
        ),
    ]

    static let localOfPresence: [(name: String, frame: LocalFrame)] = [
        (
            "set presence",
            LocalFrame(.presence(.setPresence(PresenceWord(.elsewhere, problem: laptop))), request: 18)
        ),
        ("set sleep", LocalFrame(.presence(.setSleep(true)), request: 19)),
        ("withhold", LocalFrame(.advertising(.withhold(WithheldActivity(type))))),
        ("withhold, for search", LocalFrame(.advertising(.withhold(WithheldActivity(type, activity: activity))))),
        ("withhold no longer", LocalFrame(.advertising(.withhold(nil)))),
        (
            "explain offer",
            LocalFrame(
                .status(.explainOffer(OfferQuestion(device: "laptop", type: type, activity: activity))), request: 20)
        ),
        (
            "explanation",
            LocalFrame(
                .status(
                    .explanation([
                        Finding(.offer, .passed, "laptop offers 1 such activity"),
                        Finding(.app, .failed, "no app is installed", advice: "install it"),
                        Finding(.device, .unknown, "laptop does not say"),
                    ])), answer: 20)
        ),
    ]
}
