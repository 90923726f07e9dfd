// SPDX-License-Identifier: Apache-2.0

import HandoffStrings
import HandoffWire
import Testing

@testable import HandoffWindowModel

// Shows L10, W04.
@Suite struct SendingListTests {
    private var list = SendingList()
    private let receivers = [SendingList.Receiver(id: .device(phone), name: "phone")]

    private func report(_ standing: SendReport.Standing) throws -> LocalMessage {
        let sent = SendReport(
            offer: try activity(9, "Letter").offer, device: phone, deviceName: DisplayText(cleaning: "phone"),
            sent: now, until: now, standing: standing)
        return .sending(.sendList([sent]))
    }

    @Test mutating func localActivityCanBeSentToOtherDevices() throws {
        list.offered([try activity(1, "Letter", isFromHere: true), try activity(2, "from there")])
        let lines = list.lines(to: receivers, strings, at: now)
        #expect(lines.map(\.title) == ["Letter"])
        #expect(lines.map(\.details) == ["Notes · 5 min ago"])
        #expect(lines.map(\.buttonLabel) == ["Send “Letter” to another device"])
        #expect(list.lines(to: [], strings, at: now).isEmpty, "there is no other device")
    }

    @Test func receiversAreTheOtherDevicesOfTheAccount() {
        func device(_ id: DeviceID, _ name: String, isThisDevice: Bool = false) -> DeviceSummary {
            DeviceSummary(
                device: id, name: DisplayText(cleaning: name), kind: .laptop, isThisDevice: isThisDevice,
                isConnected: false, address: "", admitted: now, admittedBy: nil)
        }
        let found = SendingList.receivers(
            [device(laptop, "laptop", isThisDevice: true), device(phone, "phone")])
        #expect(found == receivers)
    }

    @Test mutating func itIsSentOnceAtATime() throws {
        let letter = id(1).activity
        list.offered([try activity(1, "Letter", isFromHere: true)])
        #expect(list.chose(.device(phone), for: letter) == .sending(.sendActivity(letter, to: phone.description)))
        #expect(list.chose(.device(phone), for: letter) == nil)
        #expect(list.lines(to: receivers, strings, at: now).first?.details == "Sending…")
        #expect(list.heard(.success(try report(.taken)), of: letter, strings: strings, at: now) == "Sent to phone.")
        #expect(list.chose(.device(phone), for: letter) != nil)
        #expect(list.chose(.device(phone), for: id(7).activity) == nil, "it is not offered")
    }

    // Shows M08.
    @Test mutating func phonesAreReceiversThatConfirmNothing() throws {
        let pixel = Phone(
            id: try PhoneID("pixel"), name: DisplayText(cleaning: "Pixel"), kind: .phone, link: .kdeConnect)
        let receiver = try #require(SendingList.receivers([], [pixel]).first)
        #expect(receiver.name == "Pixel (KDE Connect)")
        let letter = id(1).activity
        list.offered([try activity(1, "Letter", isFromHere: true)])
        #expect(list.chose(receiver.id, for: letter) == .sending(.sendActivity(letter, to: "pixel")))
        #expect(
            list.heard(.success(.phones(.handedToPhone(pixel))), of: letter, strings: strings, at: now)
                == "Handed to KDE Connect, which does not confirm arrival.")
        #expect(line()?.isFailed == false)
    }

    @Test mutating func aSendThatWaitsIsReported() throws {
        #expect(
            list.heard(.success(try report(.waiting(problem: nil))), of: id(1).activity, strings: strings, at: now)
                == "Waiting. phone gets it when it connects.")
    }

    private func line(at time: WallTime = now) -> SendingList.Line? {
        list.lines(to: receivers, strings, at: time).first
    }

    @Test mutating func aFailureIsShownOnlyInItsRowForAMinute() throws {
        let letter = id(1).activity
        list.offered([try activity(1, "Letter", isFromHere: true)])
        let failure = Failure(.limitReached, "1000 activities are waiting")
        #expect(list.heard(.failure(failure), of: letter, strings: strings, at: now) == nil)
        #expect(line()?.details == "Not sent: There is no room for more.")
        #expect(line()?.buttonLabel == "Send “Letter” to another device")
        #expect(line(at: now.advanced(by: ActivitiesPage.failureStays))?.isFailed == false)
        _ = list.chose(.device(phone), for: letter)
        #expect(line()?.details == "Sending…")
    }

    @Test mutating func documentsOnlyOnThisDeviceAreNotOfferedAgain() throws {
        let letter = id(1).activity
        list.offered([try activity(1, "Letter", isFromHere: true)])
        _ = list.heard(.failure(Failure(.filesOnlyThere, "")), of: letter, strings: strings, at: now)
        let later = now.advanced(by: ActivitiesPage.failureStays)
        #expect(line(at: later)?.details.hasPrefix("Cannot be sent: its files are only on this device.") == true)
        #expect(line(at: later)?.buttonLabel == nil)
        list.offered([])
        list.offered([try activity(1, "Letter", isFromHere: true)])
        #expect(line()?.buttonLabel != nil, "it is a new offer")
    }
}
