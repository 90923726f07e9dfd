// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc
internal import HandoffSystem

/// docs/cli.md documents the JSON keys, which stay stable.
protocol Renderable: Encodable {
    func text(_ terminal: Terminal) -> String
    /// For an empty result on a terminal.
    var absence: String? { get }
}

extension Renderable {
    var absence: String? { nil }
}

struct Terminal {
    let isTerminal: Bool
    /// Cells; nil if unknown.
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

/// Results go to standard output, as text or as one line of JSON each, everything else to standard error.
struct Output {
    let json: Bool

    var descriptor: CInt { STDOUT_FILENO }
    var terminal: Terminal { Terminal(descriptor: descriptor) }

    /// `ifLost`: advice for a result that cannot be shown again.
    func show(_ result: some Renderable, ifLost advice: String? = nil) {
        let terminal = terminal
        write(json ? Self.encode(result) : result.text(terminal), ifLost: advice)
        if terminal.isTerminal, let absence = result.absence { note(absence) }
    }

    /// For another script, even without `--json`.
    func showJSON(_ result: some Encodable) { write(Self.encode(result)) }

    /// A result, if standard output is used for something else.
    func showBeside(_ result: some Encodable) { Self.write(Self.encode(result) + "\n", to: STDERR_FILENO) }

    func print(_ line: String) { write(line) }

    static func ask(_ text: String) { write(text, to: STDERR_FILENO) }

    static func redraw(_ line: String) { writeRaw("\r\(line.safeText)\u{1B}[K", to: STDERR_FILENO) }

    /// Not part of the result.
    func note(_ line: String) {
        guard !json else { return }
        Self.write(line + "\n", to: STDERR_FILENO)
    }

    /// For a person, next to a result for a script.
    func remark(_ line: String) { Self.write(line + "\n", to: STDERR_FILENO) }

    func fail(_ failure: CommandFailure) {
        // The exit code already reports the failure.
        if json { _ = Self.write(Self.encode(ShownFailure(failure)) + "\n", to: STDOUT_FILENO) }
        report(failure)
    }

    private func report(_ failure: CommandFailure) {
        Self.write("handoff: \(failure.reason)\n", to: STDERR_FILENO)
        if let advice = failure.advice { Self.write("  \(advice)\n", to: STDERR_FILENO) }
    }

    /// Ends the process if it cannot write. Exit code 0 promises a complete result.
    private func write(_ text: String, ifLost advice: String? = nil) {
        guard !text.isEmpty else { return }
        let code = Self.write(text.hasSuffix("\n") ? text : text + "\n", to: STDOUT_FILENO)
        if code != 0 { cannotWrite(code, ifLost: advice) }
    }

    /// As if it had written.
    func readerEnded() -> Never {
        raise(SIGPIPE)
        cannotWrite(EPIPE)
    }

    private func cannotWrite(_ code: CInt, ifLost advice: String? = nil) -> Never {
        report(.standardOutput(code, advice: advice))
        Glibc.exit(ExitStatus.failed.rawValue)
    }

    /// All output passes here, so that text from others cannot control the terminal. JSON is already escaped.
    @discardableResult
    private static func write(_ text: String, to descriptor: CInt) -> CInt { writeRaw(text.safeText, to: descriptor) }

    /// Unbuffered, for readers. Returns 0, or the error number.
    @discardableResult
    private static func writeRaw(_ text: String, to descriptor: CInt) -> CInt {
        Array(text.utf8).withUnsafeBytes { StandardDescriptors.write($0, to: descriptor) }
    }

    private static func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        // Plain values, so encoding cannot fail.
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

extension [String] {
    var words: String { filter { !$0.isEmpty }.joined(separator: " ") }
}
