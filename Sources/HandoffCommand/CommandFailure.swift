// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

struct CommandFailure: Error {
    let status: ExitStatus
    let code: String
    let reason: String
    let advice: String?

    init(_ status: ExitStatus, code: String, _ reason: String, advice: String? = nil) {
        self.status = status
        self.code = code
        self.reason = reason
        self.advice = advice
    }

    static func usage(_ reason: String) -> CommandFailure { CommandFailure(.usage, code: "usage", reason) }

    init(_ failure: Failure) {
        let status: ExitStatus =
            switch failure.code {
            case .noAccount, .deviceRemoved: .noAccount
            case .appGone, .appTimedOut, .appDidNotStart, .appDidNotAnswer, .cancelled, .connectionUnavailable,
                .deviceLost, .inviterNotFound, .limitReached, .streamCut:
                .tryAgain
            default: .failed
            }
        let advice: String? =
            switch failure.code {
            case .noAccount: Advice.joinAccount
            case .noSuchDevice: "run: handoff device list"
            case .inviterNotFound:
                "run: handoff account join --address HOST:PORT"
            case .inviteExpired, .inviteUsedUp, .noInvite:
                "make a new code on the other device: handoff account invite"
            default: nil
            }
        self.init(status, code: "\(failure.code)", failure.description, advice: advice)
    }
}

/// The numbers are those of `sysexits.h`, and stay stable.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case failed = 1
    case usage = 64
    case notVerified = 65
    case noDaemon = 69
    case tryAgain = 75
    case noAccount = 78

    var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "the command failed; the message says why"
        case .usage: "the command was not understood"
        case .notVerified: "the bundle is not signed, or is not what was signed"
        case .noDaemon: "no daemon answers here"
        case .tryAgain: "another device or app did not answer; try again later"
        case .noAccount: "this device is not in an account yet"
        }
    }

    static var table: String {
        allCases
            .map { "  " + "\($0.rawValue)".padded(to: 4) + $0.meaning }
            .joined(separator: "\n")
    }
}
