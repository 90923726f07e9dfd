// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Why an activity of the laptop is offered, and continues on the desktop, or not. Shows G01, Y06.
@Suite struct OfferExplanationTests {
    private let editor = DeviceFixture.app("editor")
    private let laptop: DeviceFixture
    private let desktop: DeviceFixture

    init() throws {
        laptop = try DeviceFixture("laptop", apps: [editor])
        desktop = try DeviceFixture("desktop", number: 2, time: laptop.time, apps: [editor])
        laptop.join(desktop)
    }

    private func question(
        _ device: String = "laptop", _ type: ActivityType = DeviceFixture.editing, activity: UInt8? = nil
    ) -> LocalMessage {
        .status(
            .explainOffer(OfferQuestion(device: device, type: type, activity: activity.map(DeviceFixture.activity))))
    }

    private func explain(
        _ device: String = "laptop", _ type: ActivityType = DeviceFixture.editing, activity: UInt8? = nil,
        on asked: DeviceFixture? = nil
    ) -> [String] {
        let asked = asked ?? desktop
        let client = asked.script()
        let request = client.request(question(device, type, activity: activity))
        asked.time.advance(by: OfferExplainer.deadline + .seconds(1))
        guard case .status(.explanation(let findings))? = client.answers(to: request).first else { return [] }
        return findings.map { "\($0.check) \($0.result): \($0.seen)" + ($0.advice.map { " | \($0)" } ?? "") }
    }

    private func off(_ direction: HandoffDirection, _ bundle: BundleID? = nil, on device: DeviceFixture) {
        let change = PolicyChange(PolicySubject(direction, of: bundle), isOff: true)
        _ = device.answer(device.script(), .policy(.setPolicy(change)))
    }

    @Test func offerThatContinuesIsFollowedFromAppToApp() {
        laptop.publish(1, by: laptop.run(editor), title: "Letter")
        let steps = [
            "device passed: laptop is connected", "offer passed: laptop offers 1 such activity",
            "app passed: Letter (editor) continues in editor: editor is of the same team and supports this activity type",
        ]
        #expect(explain() == steps)
        #expect(explain(activity: 1) == steps)
        #expect(
            explain(on: laptop) == ["offer passed: Letter (editor) is offered", "device passed: connected: desktop"])
    }

    @Test func activityThatIsGoneIsNamed() {
        laptop.publish(1, by: laptop.run(editor), title: "Letter")
        #expect(
            explain(activity: 2).dropFirst(2) == [
                "offer failed: this activity is not one of them any longer | try again in a moment",
                "app passed: declared here by editor",
            ])
    }

    // MARK: The origin

    @Test func originWithoutSuchAnActivitySendsToItsOwnDoctor() {
        let id = laptop.member.device.short
        let nothing = """
            offer failed: laptop offers no such activity: none is current, eligible for Handoff and switched on there \
            | run on it: handoff doctor --why \(id) com.example.editing
            """
        #expect(explain()[1] == nothing)
        #expect(explain(on: laptop)[0] == "offer failed: editor does not run | open it")
        let app = laptop.run(editor)
        #expect(
            explain(on: laptop)[0]
                == "offer failed: editor runs, but has no current activity of this type | turn to it; its code makes an activity current with becomeCurrent()"
        )
        app.send(.advertising(.withhold(WithheldActivity(DeviceFixture.editing))))
        laptop.settle()
        #expect(
            explain(on: laptop)[0]
                == "offer failed: the current activity of editor is not eligible for Handoff | its code decides that with isEligibleForHandoff"
        )
        // Other devices do not learn that it exists.
        #expect(explain()[1] == nothing)
        app.send(.advertising(.withhold(nil)))
        laptop.settle()
        #expect(explain(on: laptop)[0].contains("has no current activity of this type"))
        app.send(.advertising(.withhold(WithheldActivity(DeviceFixture.editing))))
        laptop.publish(1, by: app, title: "Letter")
        #expect(explain(on: laptop)[0] == "offer passed: Letter (editor) is offered")
        app.send(.advertising(.withhold(WithheldActivity(DeviceFixture.reading))))
        laptop.settle()
        app.close()
        laptop.settle()
        #expect(
            explain("laptop", DeviceFixture.reading, on: laptop)[0]
                == "offer failed: no program offers it, and no installed app declares it")
    }

    @Test func originThatIsSwitchedOffIsNamed() {
        laptop.publish(1, by: laptop.run(editor), title: "Letter")
        off(.advertising, editor.bundle, on: laptop)
        // One app's switch is not for other devices.
        #expect(explain()[1].hasPrefix("offer failed: laptop offers no such activity"))
        #expect(
            explain(on: laptop)[0]
                == "offer failed: Letter (editor) is not offered: advertising is switched off for com.example.editor | run: handoff policy on"
        )
        off(.advertising, on: laptop)
        #expect(
            explain()[1]
                == "offer failed: laptop offers nothing, because offering is switched off there | run on it: handoff policy on"
        )
        #expect(
            explain(on: laptop)[0]
                == "policy failed: advertising is switched off on this device | run: handoff policy on")
        laptop.rules.policy = AdministratorPolicy(off: [PolicySubject(.advertising)])
        laptop.settle()
        #expect(
            explain()[1] == "offer failed: laptop offers nothing, because its administrator switched offering off")
    }

    @Test(arguments: [
        (Presence.locked, "its screen is locked"), (.idle, "it was not used for a while"),
        (.elsewhere, "another user has its screen"),
    ])
    func originWhoseUserIsAwayIsNamed(presence: Presence, reason: String) {
        laptop.publish(1, by: laptop.run(editor), title: "Letter")
        let watcher = laptop.script()
        _ = laptop.answer(watcher, .presence(.setPresence(PresenceWord(presence))))
        #expect(explain()[1] == "offer failed: laptop offers nothing, because \(reason)")
        #expect(explain(on: laptop)[0].hasPrefix("presence failed: "))
        #expect(explain(on: laptop)[1] == "offer failed: Letter (editor) is hidden while you are away")
    }

    @Test func expiredActivityIsNamed() {
        let app = laptop.run(editor)
        laptop.publish(1, by: app, title: "Letter", expires: .seconds(60))
        laptop.time.advance(by: .seconds(120))
        #expect(
            explain(on: laptop)[0] == "offer failed: Letter (editor) has expired | turn to it again, or change it")
    }

    @Test func browserWithoutAPageIsNamed() {
        #expect(explain("laptop", .browsingWeb, on: laptop)[0].contains("or its window is private"))
        #expect(explain("laptop", .browsingWeb).count == 2)
    }

    @Test func advisedCommandContainsNothingThatAMemberChose() throws {
        let hostile = try DeviceFixture("x; rm -rf ~", number: 7, time: laptop.time)
        hostile.join(desktop)
        let type = try ActivityType("a;rm${IFS}-rf${IFS}~")
        let command = explain("x; rm -rf ~", type)[1].split(separator: "|").last
        #expect(command == " run on it: handoff doctor --why \(hostile.member.device.short) TYPE")
    }

    // MARK: The way between

    @Test func deviceWithoutASessionIsNamed() {
        laptop.part(desktop)
        #expect(explain() == ["device failed: laptop is not connected | run: handoff doctor"])
        #expect(explain(on: laptop).last == "device failed: no other device is connected | run: handoff doctor")
        let unknown = desktop.answer(desktop.script(), question("phone"))
        guard case .failure(let failure)? = unknown else {
            Issue.record("\(String(describing: unknown))")
            return
        }
        #expect(failure.code == .noSuchDevice)
    }

    @Test func deviceWithoutAnAccountIsNamed() throws {
        let alone = try DeviceFixture("alone", number: 3, account: nil)
        #expect(explain("alone", on: alone).first?.hasPrefix("account failed: this device is in no account") == true)
    }

    /// The origin answers with nonsense, refuses, has an older version, or never answers.
    @Test func originThatDoesNotAnswerProperlyIsNamed() {
        final class Origin: PeerMessageHandler {
            var answer: PeerMessage?

            func handle(
                _ message: PeerMessage.Advertising, from device: DeviceID, reply: @escaping (PeerMessage) -> Void
            ) {
                if case .offerQuestion = message, let answer { reply(answer) }
            }
        }
        let origin = Origin()
        laptop.sessions.handlers.advertising = origin
        let cases: [(answer: PeerMessage?, finding: String)] = [
            (.pong, "offer unknown: laptop gave an unexpected answer about what it offers"),
            (.unknown, "offer unknown: laptop gave an unexpected answer about what it offers"),
            (
                .failure(Failure(.unimplemented, "unknown request")),
                "offer unknown: laptop has an older version of Handoff, which does not say why it offers nothing | update Handoff there"
            ),
            (.failure(Failure(.internal, "no")), "offer unknown: laptop does not say what it offers: no"),
            (nil, "offer unknown: laptop does not say what it offers: no answer"),
            (
                .advertising(.offerAnswer(OfferAnswer(offered: .max))),
                "offer passed: laptop offers 4294967295 such activities"
            ),
        ]
        for (answer, finding) in cases {
            origin.answer = answer
            let findings = explain()
            #expect(findings[1] == finding)
            #expect(findings.last == "app passed: declared here by editor")
        }
        #expect(explain()[2] == "offer failed: none of them has arrived here | try again in a moment")
    }

    // MARK: This device

    @Test func receiverThatIsSwitchedOffIsNamed() {
        laptop.publish(1, by: laptop.run(editor), title: "Letter")
        off(.receiving, on: desktop)
        let why = "receiving is switched off on this device"
        #expect(explain()[0] == "policy failed: \(why) | run: handoff policy on")
        #expect(explain().last == "app failed: Letter (editor) cannot continue here: \(why) | run: handoff policy on")
    }

    @Test func appThatCannotContinueIsNamedWithAdvice() throws {
        let twin = DeveloperTeam.made("ABCDE12345", key: 9)
        let apps: [(app: InstalledApp?, reason: String)] = [
            (
                nil,
                "no app of team ABCDE12345 is installed | install the app that the origin has: handoff app install"
            ),
            (
                DeviceFixture.app("viewer", types: [DeviceFixture.reading]),
                "no installed app of team ABCDE12345 supports this activity type | install or update the app that the origin has: handoff app list"
            ),
            (
                DeviceFixture.app("writer", team: .made("ZZZZZ99999")),
                "writer supports this activity type but belongs to team ZZZZZ99999, not to team ABCDE12345 | install the app that the origin has, of the same team and key: handoff app list"
            ),
            (
                DeviceFixture.app("editor", team: twin),
                "editor supports this activity type but belongs to another team that also calls itself ABCDE12345, with a different key | install the app that the origin has, of the same team and key: handoff app list"
            ),
        ]
        laptop.publish(1, by: laptop.run(editor), title: "Letter")
        for (number, (app, reason)) in apps.enumerated() {
            let other = try DeviceFixture(
                "other", number: UInt8(10 + number), time: laptop.time, apps: app.map { [$0] } ?? [])
            laptop.join(other)
            #expect(explain(on: other).last == "app failed: Letter (editor) cannot continue here: \(reason)")
        }
        desktop.teams.distrust(.made("ABCDE12345"))
        #expect(explain().last?.hasSuffix("is not trusted on this device | trust it: handoff team trust") == true)
    }

    @Test func appsAreNamedIfNothingIsOffered() throws {
        #expect(explain().last == "app passed: declared here by editor")
        #expect(
            explain("laptop", DeviceFixture.reading).last
                == "app failed: no app that is installed here declares this activity type")
    }
}
