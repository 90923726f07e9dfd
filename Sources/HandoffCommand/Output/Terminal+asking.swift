// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension Terminal {
    /// A person sits at both ends.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// What was answered to a question that has to be meant.
    static var saysYes: Bool {
        let answer = (Swift.readLine() ?? "").lowercased().filter { !$0.isWhitespace }
        return answer == "y" || answer == "yes"
    }

    /// What stands in no argument: typed by the person at the terminal, whether or not it is shown there, or else a line of
    /// standard input.
    static func readLine(asking what: String, isShown: Bool) throws(CommandFailure) -> String {
        if canAsk, isShown { Output.ask("\(what): ") }
        let line = canAsk && !isShown ? readSecret("\(what): ") : Swift.readLine()
        guard let line, !line.allSatisfy(\.isWhitespace) else { throw .usage("no \(what) was given") }
        return line
    }

    /// Reads a line that is not shown while it is typed.
    private static func readSecret(_ prompt: String) -> String? {
        Output.ask(prompt)
        guard let line = hidingInput(at: STDIN_FILENO, while: { Swift.readLine() }) else { return Swift.readLine() }
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
