// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension LocalizedStrings {
    /// Without the reason, which is English and for logs.
    package func trouble(_ failure: Failure) -> Trouble {
        let (sentence, advice) = Self.known(failure.code)
        return Trouble(self[sentence], advice: advice.map { self[$0] })
    }

    private static func known(_ code: Failure.Code) -> (Word, Word?) {
        switch code {
        case .activityGone: (.problemActivityGone, .adviceOpenThere)
        case .appGone: (.problemAppGone, .adviceOpenThere)
        case .appTimedOut: (.problemAppTimedOut, .adviceLookThere)
        case .payloadTooLarge: (.problemPayloadTooLarge, nil)
        case .cancelled: (.problemCancelled, nil)
        case .connectionUnavailable: (.problemConnectionUnavailable, .adviceSameNetwork)
        case .deviceLost: (.problemDeviceLost, .adviceSameNetwork)
        case .noApp: (.problemNoApp, .adviceInstall)
        case .appDidNotStart: (.problemAppDidNotStart, .adviceOpenHere)
        case .appDidNotAnswer: (.problemAppDidNotAnswer, .adviceOpenHere)
        case .documentGone: (.problemDocumentGone, nil)
        case .documentChanged: (.problemDocumentChanged, .adviceAgain)
        case .documentNotPlaced: (.problemDocumentNotPlaced, .adviceSpace)
        case .noInvite: (.problemNoInvite, .adviceNewCode)
        case .wrongCode: (.problemWrongCode, .adviceCompareCode)
        case .inviteExpired: (.problemInviteExpired, .adviceNewCode)
        case .inviteUsedUp: (.problemInviteUsedUp, .adviceNewCode)
        case .inviterNotFound: (.problemInviterNotFound, .adviceFindByAddress)
        case .joinDeclined: (.problemJoinDeclined, .adviceNewCode)
        case .keyMistyped: (.problemMistyped, .adviceCompareKey)
        case .wrongKey: (.problemWrongKey, .adviceCompareKey)
        case .notAllowed: (.problemNotAllowed, nil)
        case .stateNotWritable: (.problemStateNotWritable, .adviceSpace)
        case .unimplemented, .versionUnsupported: (.problemVersion, .adviceUpdate)
        case .limitReached: (.problemLimit, nil)
        case .filesOnlyThere: (.onlyHere, nil)
        case .unspecified, .malformed, .internal, .noStreams, .streamCut, .noAccount, .alreadyMember, .notAMember,
            .deviceRemoved, .noSuchDevice, .severalDevices:
            (.problemOther, .adviceAgain)
        }
    }
}

package struct Trouble: Hashable, Sendable {
    package var sentence: String
    package var advice: String?

    package init(_ sentence: String, advice: String? = nil) {
        self.sentence = sentence
        self.advice = advice
    }

    package var text: String { advice.map { "\(sentence) \($0)" } ?? sentence }
}
