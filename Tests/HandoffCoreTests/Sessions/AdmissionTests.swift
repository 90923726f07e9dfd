// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@Suite struct AdmissionTests {
    // Shows T03: who was removed gets neither a stream nor an answer to a dial of ours.
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

    /// It takes the code of an invite, whoever it is.
    @Test(arguments: Admission.allCases)
    func nobodyJoinsByWhoItIs(admission: Admission) {
        #expect(!admission.mayDial(for: .enroll))
    }
}
