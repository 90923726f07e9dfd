// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension Terminal {
    /// A person sits at both ends.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// What was answered to a question that has to be meant.
    static var saysYes: Bool {
        let answer = (readLine() ?? "").lowercased().filter { !$0.isWhitespace }
        return answer == "y" || answer == "yes"
    }

    /// Reads a line that is not shown while it is typed.
    static func readSecret(_ prompt: String) -> String? {
        Output.ask(prompt)
        guard let line = hidingInput(at: STDIN_FILENO, while: { readLine() }) else { return readLine() }
        Output.ask("\n")
        return line
    }

    /// Nil where `descriptor` is no terminal; `read` was not asked then. What was typed before is thrown away.
    static func hidingInput<Line>(at descriptor: CInt, while read: () -> Line) -> Line? {
        var shown = termios()
        guard tcgetattr(descriptor, &shown) == 0 else { return nil }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(descriptor, TCSAFLUSH, &hidden)
        defer { tcsetattr(descriptor, TCSAFLUSH, &shown) }
        return read()
    }
}
