// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@Suite struct AdmissionTests {
    // Shows T03: who was removed gets neither a stream nor an answer to a dial of ours.
    @Test func formerMembersMayDialForASessionAndNothingElse() {
        #expect(Admission.former.mayDial(for: .session, isEnrolling: false))
        #expect(!Admission.former.mayDial(for: .stream, isEnrolling: true))
        #expect(!Admission.former.mayAnswer)
    }

    @Test func strangersMayJoinWhileAnInviteIsOpenAndNothingElse() {
        #expect(!Admission.stranger.mayDial(isEnrolling: false))
        #expect(Admission.stranger.mayDial(isEnrolling: true))
        #expect(!Admission.stranger.mayDial(for: .session, isEnrolling: true))
        #expect(!Admission.stranger.mayDial(for: .stream, isEnrolling: true))
        #expect(!Admission.stranger.mayAnswer)
    }

    @Test func membersMayAllButJoinWhereNoInviteIsOpen() {
        #expect(Admission.member.mayDial(for: .session, isEnrolling: false))
        #expect(Admission.member.mayDial(for: .stream, isEnrolling: false))
        #expect(!Admission.member.mayDial(for: .enroll, isEnrolling: false))
        #expect(Admission.member.mayAnswer)
    }

    @Test(arguments: Admission.allCases)
    func joiningIsForAnybodyWhileAnInviteIsOpen(admission: Admission) {
        #expect(admission.mayDial(for: .enroll, isEnrolling: true))
        #expect(!admission.mayDial(for: .enroll, isEnrolling: false))
    }
}
