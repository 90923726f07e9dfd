// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc
internal import HandoffSystem

/// What a command found out, in both forms. The JSON keys are documented in docs/cli.md and stay.
protocol Renderable: Encodable {
    func text(_ terminal: Terminal) -> String
    /// Why there is nothing, for the person at a terminal; nil where there is something.
    var absence: String? { get }
}

extension Renderable {
    var absence: String? { nil }
}

/// The terminal that standard output is, or is not.
struct Terminal {
    let isTerminal: Bool
    /// How many cells a line has; nil where it does not say.
    let columns: Int?

    init(isTerminal: Bool, columns: Int? = nil) {
        self.isTerminal = isTerminal
        self.columns = columns
    }

    init(descriptor: CInt) {
        var size = winsize()
        let saysSize = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        self.init(isTerminal: isatty(descriptor) == 1, columns: saysSize ? Int(size.ws_col) : nil)
    }
}

/// The one place that knows about formats: results go to standard output, as text or as one line of JSON each;
/// everything said on the way goes to standard error.
struct Output {
    let json: Bool

    /// As wide as it is now.
    var terminal: Terminal { Terminal(descriptor: STDOUT_FILENO) }

    /// `ifLost`: advice when a result that no later command shows again cannot be written.
    func show(_ result: some Renderable, ifLost advice: String? = nil) {
        let terminal = terminal
        write(json ? Self.encode(result) : result.text(terminal), ifLost: advice)
        if terminal.isTerminal, let absence = result.absence { note(absence) }
    }

    /// JSON also where no `--json` was asked for: the state that one script hands to another.
    func showJSON(_ result: some Encodable) { write(Self.encode(result)) }

    /// A result where standard output is taken by something else.
    func showBeside(_ result: some Encodable) { Self.write(Self.encode(result) + "\n", to: STDERR_FILENO) }

    func print(_ line: String) { write(line) }

    /// A question, before its answer is read.
    static func ask(_ text: String) { write(text, to: STDERR_FILENO) }

    /// In place of the line that the terminal's cursor is in, to which it goes back.
    static func redraw(_ line: String) { writeRaw("\r\(line.safeText)\u{1B}[K", to: STDERR_FILENO) }

    /// For the person who waits; no part of the result.
    func note(_ line: String) {
        guard !json else { return }
        Self.write(line + "\n", to: STDERR_FILENO)
    }

    /// Where the result is for a script and this is for the person beside it.
    func remark(_ line: String) { Self.write(line + "\n", to: STDERR_FILENO) }

    func fail(_ failure: CommandFailure) {
        // The exit code already says that it failed, so a lost line changes nothing.
        if json { _ = Self.write(Self.encode(ShownFailure(failure)) + "\n", to: STDOUT_FILENO) }
        report(failure)
    }

    private func report(_ failure: CommandFailure) {
        Self.write("handoff: \(failure.reason)\n", to: STDERR_FILENO)
        if let advice = failure.advice { Self.write("  \(advice)\n", to: STDERR_FILENO) }
    }

    /// Ends the process when the text cannot be written: exit code 0 promises a whole result, and what follows a result, such
    /// as dismissing a sent activity, relies on it having been seen.
    private func write(_ text: String, ifLost advice: String? = nil) {
        guard !text.isEmpty else { return }
        let code = Self.write(text.hasSuffix("\n") ? text : text + "\n", to: STDOUT_FILENO)
        guard code != 0 else { return }
        report(.standardOutput(code, advice: advice))
        Glibc.exit(ExitStatus.failed.rawValue)
    }

    /// Everything goes this way, so nothing that others said steers the terminal; of JSON nothing is left to be changed.
    @discardableResult
    private static func write(_ text: String, to descriptor: CInt) -> CInt { writeRaw(text.safeText, to: descriptor) }

    /// Unbuffered: whoever reads the other end sees each line when it is said. Returns 0, or the error number.
    @discardableResult
    private static func writeRaw(_ text: String, to descriptor: CInt) -> CInt {
        Array(text.utf8).withUnsafeBytes { StandardDescriptors.write($0, to: descriptor) }
    }

    private static func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        // Everything shown is plain values, for which encoding cannot fail.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self).safeJSON } ?? "{}"
    }
}

private struct ShownFailure: Encodable {
    struct Content: Encodable {
        let code: String
        let reason: String
        let exitCode: Int32
    }

    let error: Content

    init(_ failure: CommandFailure) {
        error = Content(code: failure.code, reason: failure.reason, exitCode: failure.status.rawValue)
    }
}
