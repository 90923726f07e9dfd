// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffStrings
import HandoffWire
import Testing

@testable import HandoffWindowModel

@Suite struct RemovalQuestionTests {
    private let strings = LocalizedStrings(.english)

    private func device(_ name: String, _ number: UInt8) -> DeviceSummary {
        DeviceSummary(
            device: DeviceID(uncheckedBytes: [UInt8](repeating: number, count: 32)), name: DisplayText(cleaning: name),
            kind: .phone, isThisDevice: false, isConnected: false, address: "",
            admitted: WallTime(milliseconds: 0), admittedBy: nil)
    }

    @Test func aDeviceThatAdmittedNoneIsOneQuestion() {
        let question = RemovalQuestion(device("phone", 1), strings)
        #expect(question.heading == "Remove “phone”?")
        #expect(question.body == strings[.removeBody])
        #expect(!question.offersAll)
    }

    @Test func devicesThatAreMembersOnlyThroughItAreCountedAndOffered() {
        var phone = device("phone", 1)
        phone.dependents = (2..<9).map { device("invention", $0) }
        let question = RemovalQuestion(phone, strings)
        #expect(question.offersAll)
        #expect(question.body.contains("7: invention ("))
        #expect(question.body.contains(", …"))
        #expect(question.body.components(separatedBy: "invention").count == RemovalQuestion.named + 1)
    }

    @Test func devicesThatGoWithItAreNamed() {
        var phone = device("phone", 1)
        phone.alsoRemoved = [device("tablet", 2)]
        let question = RemovalQuestion(phone, strings)
        #expect(!question.offersAll)
        #expect(question.body.contains("1: tablet ("))
    }
}
