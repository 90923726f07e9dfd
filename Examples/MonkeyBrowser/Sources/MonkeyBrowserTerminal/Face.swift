// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MonkeyBrowserModel

/// The terminal interface: sentences and a prompt for a person, or one line for each event for a program.
package struct Face: Sendable {
    package let isInteractive: Bool

    /// For a person if the input is a terminal, otherwise for a program.
    package init(forProgram: Bool = false) {
        isInteractive = !forProgram && isatty(STDIN_FILENO) == 1
    }

    package func show(_ event: BrowserEvent) {
        let prompt = event == .finished ? "" : prompt
        write(isInteractive ? "\r\(event.sentence)\n" + prompt : event.line + "\n")
    }

    /// Shown again if a line had no effect.
    func showPrompt() {
        if isInteractive { write(prompt) }
    }

    /// If the terminal is gone or the disk is full, the browser keeps running.
    private func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    /// The input lines until the end of the input. Reading blocks, so it runs on its own thread.
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
