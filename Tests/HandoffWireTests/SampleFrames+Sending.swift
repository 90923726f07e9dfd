// SPDX-License-Identifier: Apache-2.0

@testable import HandoffWire

extension SampleFrames {
    static let sent: SentActivity = {
        var (offer, state) = (SampleFrames.keptOffer, SampleFrames.state)
        (offer.supportsStreams, state.supportsStreams) = (false, false)
        return SentActivity(offer: offer, state: try! CarriedState(state))
    }()

    static let peerOfSending: [(name: String, frame: PeerFrame)] = [
        ("sent", PeerFrame(.sending(.sent(sent)), request: 4)),
        ("taken", PeerFrame(.sending(.taken(activity)), answer: 4)),
    ]

    private static func report(_ standing: SendReport.Standing) -> SendReport {
        SendReport(
            offer: sent.offer, device: device, deviceName: laptop, sent: noon,
            until: noon.advanced(by: .seconds(60)), standing: standing)
    }

    static let localOfSending: [(name: String, frame: LocalFrame)] = [
        ("send activity", LocalFrame(.sending(.sendActivity(activity, to: "laptop")), request: 19)),
        (
            "send page",
            LocalFrame(
                .sending(
                    .sendPage(
                        ActivityState(type: .browsingWeb, title: "Weather", webpageURL: "https://weather.example/"),
                        to: "laptop")), request: 25)
        ),
        ("list sends", LocalFrame(.sending(.listSends), request: 20)),
        (
            "send list",
            LocalFrame(
                .sending(
                    .sendList([
                        report(.waiting(problem: nil)), report(.waiting(problem: failure)), report(.refused(failure)),
                        report(.taken),
                    ])), answer: 20)
        ),
        ("unsend activity", LocalFrame(.sending(.unsendActivity(activity)), request: 21)),
        ("dismiss sent", LocalFrame(.sending(.dismissSent(activity, from: device)), request: 22)),
        ("dismiss sent without a device", LocalFrame(.sending(.dismissSent(activity, from: nil)), request: 24)),
        (
            "activity list with one that was sent",
            LocalFrame(
                .advertising(
                    .activityList([
                        ListedActivity(
                            offer: sent.offer, device: device, deviceName: laptop, deviceKind: .laptop,
                            isFromThisDevice: false, target: .app(bundle),
                            targetName: DisplayText(cleaning: "MonkeyBrowser"), isSent: true)
                    ])), answer: 23)
        ),
    ]
}
