// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension Terminal {
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// For explicit confirmation.
    static var saysYes: Bool {
        let answer = (Swift.readLine() ?? "").lowercased().filter { !$0.isWhitespace }
        return answer == "y" || answer == "yes"
    }

    static func readLine(asking what: String, isShown: Bool) throws(CommandFailure) -> String {
        if canAsk, isShown { Output.ask("\(what): ") }
        let line = canAsk && !isShown ? readSecret("\(what): ") : Swift.readLine()
        guard let line, !line.allSatisfy(\.isWhitespace) else { throw .usage("no \(what) was given") }
        return line
    }

    private static func readSecret(_ prompt: String) -> String? {
        Output.ask(prompt)
        guard let line = hidingInput(at: STDIN_FILENO, while: { Swift.readLine() }) else { return Swift.readLine() }
        Output.ask("\n")
        return line
    }

    /// Nil if `descriptor` is not a terminal; then `read` was not called. Discards earlier input.
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
