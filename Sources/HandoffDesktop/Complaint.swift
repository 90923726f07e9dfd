// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Reports problems of this program in the journal, on standard error. They contain no data of the user.
enum Complaint {
    static func say(_ sentence: String) {
        let line = "handoff-bus: \(sentence)\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}
