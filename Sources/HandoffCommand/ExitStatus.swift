// SPDX-License-Identifier: Apache-2.0

/// The command's exit codes. The numbers are those of `sysexits.h`, and stay stable.
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
