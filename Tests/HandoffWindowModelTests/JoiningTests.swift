// SPDX-License-Identifier: Apache-2.0

import HandoffClient
import HandoffStrings
import HandoffWire
import Testing

@testable import HandoffWindowModel

// Shows L10.
@Suite struct JoiningTests {
    private let key = "SYH37-MGW4Z-7JSVS-UWS2Y-FHIMN-JIZPQ-LNYT4-EKJLJ"
    private func account(key: String? = nil) -> Result<LocalMessage, Failure> {
        .success(
            .identity(
                .account(
                    AccountSummary(
                        account: AccountID(uncheckedBytes: [UInt8](repeating: 1, count: 32)),
                        devices: [device("laptop", isHere: true)], recoveryKey: key))))
    }

    @Test func theKeyIsShownBeforeTheFirstInvite() {
        var run = FirstRun()
        #expect(run.choseFirstDevice() == .identity(.createAccount))
        #expect(run.choseFirstDevice() == nil, "one account is enough")
        run.heard(account(key: key))
        #expect(run.step == .key(key))
        run.sawKey()
        #expect(run.step == .inviting)
        run.finished()
        #expect(run.step == .over)
        run.sawKey()
        #expect(run.step == .over)
    }

    @Test func theEndOfTheKeyIsAcceptedAsPeopleTypeIt() {
        #expect(AccountSummary.recoveryKey(key, endsWith: " ekj-lj "))
        #expect(!AccountSummary.recoveryKey(key, endsWith: "EKJLK"))
        #expect(!AccountSummary.recoveryKey(key, endsWith: ""))
        #expect(!AccountSummary.recoveryKey("", endsWith: ""))
    }

    @Test func anAccountThatCannotBeMadeIsTriedAgain() {
        var run = FirstRun()
        _ = run.choseFirstDevice()
        run.heard(.failure(Failure(.stateNotWritable, "the disk is full")))
        #expect(run.step == .welcome(Failure(.stateNotWritable, "the disk is full")))
        #expect(run.choseFirstDevice() != nil)
    }

    @Test func backReturnsToPreviousStep() {
        var run = FirstRun()
        run.choseToJoin()
        #expect(run.step == .joining)
        run.wentBack()
        run.choseToRecover()
        #expect(run.step == .recovering)
        run.wentBack()
        #expect(run.step == .welcome(nil))
    }

    @Test func aCodeIsSentWithoutBlanksAndWithAValidAddress() {
        var joining = Joining()
        #expect(joining.typed(code: " ", address: "") == nil)
        #expect(joining.typed(code: "ABC", address: "laptop") == nil)
        guard case .typing(.some) = joining.standing else { return #expect(Bool(false), "the address was taken") }
        #expect(
            joining.typed(code: " ABCD EFG\n", address: " 192.0.2.1:47474 ")
                == .identity(.joinAccount(code: "ABCDEFG", address: "192.0.2.1:47474")))
        #expect(joining.standing == .looking)
        #expect(joining.typed(code: "ABC", address: "") == nil, "one at a time")
        joining.heard(.success(.identity(.joinNumber("123456"))))
        #expect(joining.standing == .comparing("123456", with: nil))
        joining.heard(.failure(Failure(.joinDeclined, "")))
        #expect(joining.standing == .typing(Failure(.joinDeclined, "")))
        #expect(joining.typed(code: "ABC", address: "") == .identity(.joinAccount(code: "ABC", address: nil)))
        joining.heard(account())
        joining.heard(.failure(.noDaemon))
        guard case .joined = joining.standing else { return #expect(Bool(false), "it had joined") }
    }

    @Test func anInviteIsShownAskedAboutAndUsed() {
        var invitation = Invitation()
        let offer = InviteOffer(code: "ABC-DEF", expires: now, addresses: [])
        invitation.heard(.success(.identity(.invite(offer))))
        #expect(invitation.standing == .showing(offer))
        #expect(invitation.decided(admit: true) == nil, "nobody asks")
        let asked = JoinRequestSummary(
            device: phone, name: DisplayText(cleaning: "phone"), kind: .phone, source: "192.0.2.9", number: "123456")
        invitation.heard(.success(.identity(.joinAsked(asked))))
        #expect(invitation.standing == .comparing(asked))
        #expect(invitation.decided(admit: true) == .identity(.answerJoin(phone, admit: true)))
        #expect(invitation.decided(admit: false) == nil, "it is decided")
        // The device left before the decision; the code is still valid.
        invitation.heardOfDecision(.failure(Failure(.deviceLost, "")))
        #expect(invitation.standing == .showing(offer))
        invitation.heard(.success(.identity(.inviteUsed(.success(device("phone"))))))
        invitation.heard(.failure(.noDaemon))
        #expect(invitation.standing == .joined(DisplayText(cleaning: "phone")))
    }

    // Shows L18.
    @Test func chosenDeviceIsJoinedOnceItsNumberIsConfirmedHere() {
        let laptop = NearbyInvite(
            code: "ABC", name: DisplayText(cleaning: "laptop"), kind: .laptop, address: "192.0.2.1:47474")
        var joining = Joining(nearby: [laptop])
        #expect(
            joining.chose(laptop)
                == .identity(.joinAccount(code: "ABC", address: "192.0.2.1:47474", nearby: true)))
        #expect(joining.chose(laptop) == nil, "one at a time")
        joining.listed([])
        #expect(joining.confirmed(matches: true) == nil, "no number is shown")
        joining.heard(.success(.identity(.joinNumber("123456"))))
        #expect(joining.standing == .comparing("123456", with: DisplayText(cleaning: "laptop")))
        #expect(joining.confirmed(matches: true) == .identity(.confirmJoin(matches: true)))
        #expect(joining.standing == .comparing("123456", with: nil))
        #expect(joining.confirmed(matches: true) == nil, "it is confirmed")
        joining.heard(.failure(Failure(.joinDeclined, "")))
        // A typed code is confirmed only on the other device.
        _ = joining.typed(code: "ABC", address: "")
        joining.heard(.success(.identity(.joinNumber("654321"))))
        #expect(joining.standing == .comparing("654321", with: nil))
    }

    // Shows L18.
    @Test func devicesThatAskAtTheSameTimeAreShownOneAfterTheOther() {
        var invitation = Invitation()
        let offer = InviteOffer(
            code: "ABC-DEF", expires: now, addresses: [], announcedAs: DisplayText(cleaning: "laptop"))
        invitation.heard(.success(.identity(.invite(offer))))
        let devices = (1...3 as ClosedRange<UInt8>).map { number in
            JoinRequestSummary(
                device: DeviceID(uncheckedBytes: Array(repeating: number, count: 32)),
                name: DisplayText(cleaning: "phone"),
                kind: .phone, source: "192.0.2.\(number)", number: "12345\(number)")
        }
        for device in devices { invitation.heard(.success(.identity(.joinAsked(device)))) }
        #expect(invitation.standing == .comparing(devices[0]))
        _ = invitation.decided(admit: false)
        invitation.heardOfDecision(.success(.done(accepted: false)))
        #expect(invitation.standing == .comparing(devices[1]))
        invitation.heard(.success(.identity(.joinLeft(devices[2].device))))
        invitation.heard(.success(.identity(.joinLeft(devices[1].device))))
        #expect(invitation.standing == .showing(offer))
    }

    @Test func aNumberIsReadInHalves() { #expect("123456".inHalves == "123 456") }

    @Test func aDeviceThatIsAwaySaysSinceWhen() {
        var away = device("ant", address: "192.0.2.8:1")
        away.lastSeen = now.advanced(by: .seconds(-7300))
        func details(_ strings: LocalizedStrings) -> [String] {
            DeviceLine.lines([away], strings, at: now).map(\.details)
        }
        #expect(details(strings) == ["Laptop · last seen 2 h ago"])
        #expect(details(LocalizedStrings(.german)) == ["Laptop · zuletzt gesehen vor 2 Std."])
        away.isConnected = true
        #expect(details(strings) == ["Laptop · connected"])
        #expect(details(LocalizedStrings(.german)) == ["Laptop · verbunden"])
        away.kind = .unspecified
        #expect(details(strings) == ["Connected"])
        // The address is for experts.
        #expect(DeviceLine.lines([away], strings, at: now).first?.hint.hasPrefix("192.0.2.8:1\n") == true)
    }

    @Test func deviceThatHasJustJoinedIsConnectingToTheOthers() {
        let away = device("ant", address: "192.0.2.8:1")
        #expect(
            DeviceLine.lines([away], strings, at: now, isConnecting: true).map(\.details) == ["Laptop · connecting…"])
        var status = DaemonStatus()
        status.devicesKnown = 2
        #expect(Emptiness(status, isConnecting: true) == .connecting)
        #expect(Emptiness(status) == .apart)
    }

    @Test func devicesStandInAnOrderThatStays() {
        let devices = [
            device("zebra", isConnected: true, address: "192.0.2.7:1"), device("ant", address: "192.0.2.8:1"),
            device("home", isHere: true), device("bee-at-home", isConnected: true),
        ]
        let lines = DeviceLine.lines(devices, strings, at: now)
        #expect(lines.map(\.name) == ["home", "bee-at-home", "zebra", "ant"])
        #expect(
            lines.map(\.details) == [
                "Laptop · this device", "Laptop · connected", "Laptop · connected", "Laptop · not connected",
            ])
    }
}
