// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffWire

extension Terminal {
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Before `saysYes`. Discards earlier input, which was not meant as the answer.
    static func ask(_ question: String) {
        if isatty(STDIN_FILENO) == 1 { tcflush(STDIN_FILENO, TCIFLUSH) }
        Output.ask(question + " [y/N] ")
    }

    /// Reads only one line, because the next reader would miss further input.
    static var saysYes: Bool {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            if line.count < answerBytes { line.append(byte) }
        }
        let answer = String(decoding: line, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
        return answer == "y" || answer == "yes"
    }

    private static let answerBytes = 64

    /// If the daemon requires a confirmation, asks, and runs `deed` again.
    static func confirming<Result>(
        _ question: String, yes: Bool, _ deed: (_ isConfirmed: Bool) throws(Failure) -> Result
    ) throws -> Result {
        do throws(Failure) {
            return try deed(yes)
        } catch {
            guard error.code == .notAllowed, !yes else { throw error }
            guard canAsk else { throw CommandFailure.usage("\(error.reason); to confirm it, give --yes") }
            ask("\(error.reason). \(question)")
            guard saysYes else { throw CommandFailure(.failed, code: "cancelled", "nothing was changed") }
            return try deed(true)
        }
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
