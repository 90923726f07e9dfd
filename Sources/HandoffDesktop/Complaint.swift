// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// To the journal, through standard error. Must not contain data of the user.
enum Complaint {
    static func say(_ sentence: String) {
        let line = "handoff-bus: \(sentence)\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}
