// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MonkeyBrowserModel

/// The terminal: sentences and a prompt for a person, or one line an event for a program.
package struct Face: Sendable {
    package let isInteractive: Bool

    /// For a program, or for a person if one sits there.
    package init(forProgram: Bool = false) {
        isInteractive = !forProgram && isatty(STDIN_FILENO) == 1
    }

    package func show(_ event: BrowserEvent) {
        let prompt = event == .finished ? "" : prompt
        write(isInteractive ? "\r\(event.sentence)\n" + prompt : event.line + "\n")
    }

    /// Shown again where a line did nothing.
    func showPrompt() {
        if isInteractive { write(prompt) }
    }

    /// A terminal that is gone or a full disk is no reason to end.
    private func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    /// The lines that are typed or sent, until the input ends. Reading blocks, so it has a thread of its own.
    package func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            let reader = Thread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
            reader.start()
        }
    }

    private var prompt: String { "monkey> " }
}
