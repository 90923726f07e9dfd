// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What this program cannot do, for the journal: on its standard error. Nothing of the user's is in it.
enum Complaint {
    static func say(_ sentence: String) {
        let line = "handoff-bus: \(sentence)\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}
