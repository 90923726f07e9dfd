// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Where this program says what went wrong: to whoever started it, or the journal.
enum ErrorOutput {
    static func say(_ sentence: String) {
        let line = sentence + "\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}
