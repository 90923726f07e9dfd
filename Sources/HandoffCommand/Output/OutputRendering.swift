// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc

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

    func show(_ result: some Renderable) {
        let terminal = terminal
        write(json ? Self.encode(result) : result.text(terminal))
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
        if json { write(Self.encode(ShownFailure(failure))) }
        Self.write("handoff: \(failure.reason)\n", to: STDERR_FILENO)
        if let advice = failure.advice { Self.write("  \(advice)\n", to: STDERR_FILENO) }
    }

    private func write(_ text: String) {
        guard !text.isEmpty else { return }
        Self.write(text.hasSuffix("\n") ? text : text + "\n", to: STDOUT_FILENO)
    }

    /// Everything goes this way, so nothing that others said steers the terminal; of JSON nothing is left to be changed.
    private static func write(_ text: String, to descriptor: CInt) { writeRaw(text.safeText, to: descriptor) }

    /// Unbuffered: whoever reads the other end sees each line when it is said.
    private static func writeRaw(_ text: String, to descriptor: CInt) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
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
