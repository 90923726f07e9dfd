// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

@Suite struct AdmissionTests {
    // Shows T03: a removed device gets no stream, and this device does not dial it.
    @Test func formerMembersMayDialForASessionAndNothingElse() {
        #expect(Admission.former.mayDial(for: .session))
        #expect(!Admission.former.mayDial(for: .stream))
        #expect(!Admission.former.mayAnswer)
    }

    @Test func strangersMayDialForNothing() {
        #expect(!ConnectionPurpose.allCases.contains { Admission.stranger.mayDial(for: $0) })
        #expect(!Admission.stranger.mayAnswer)
    }

    @Test func membersMayDialForSessionsAndStreams() {
        #expect(Admission.member.mayDial(for: .session))
        #expect(Admission.member.mayDial(for: .stream))
        #expect(Admission.member.mayAnswer)
    }

    /// Joining requires an invite's code, regardless of the device.
    @Test(arguments: Admission.allCases)
    func identityAloneNeverAllowsJoining(admission: Admission) {
        #expect(!admission.mayDial(for: .enroll))
    }
}
