// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff

/// The default display. Progress is one line, erased at the end, on a terminal only. Errors and notes are lines.
@MainActor
final class TerminalDisplay: HandoffContinuationDisplay {
    static let standardError = TerminalDisplay(isTerminal: isatty(STDERR_FILENO) == 1) { text in
        // A closed standard error must not end the app.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Erases the line.
    private static let cleared = "\r\u{1B}[K"

    private let isTerminal: Bool
    private let write: (String) -> Void
    /// The last is displayed.
    private var shown: [HandoffContinuationProgress] = []

    init(isTerminal: Bool, write: @escaping (String) -> Void) {
        self.isTerminal = isTerminal
        self.write = write
    }

    func show(_ progress: HandoffContinuationProgress, in scene: UIScene?) {
        guard isTerminal else { return }
        shown.append(progress)
        write(line)
    }

    func update(_ progress: HandoffContinuationProgress, in scene: UIScene?) {
        guard let index = shown.firstIndex(where: { $0.id == progress.id }) else { return }
        shown[index] = progress
        if index == shown.count - 1 { write(line) }
    }

    func hide(_ progress: HandoffContinuationProgress) {
        guard let index = shown.firstIndex(where: { $0.id == progress.id }) else { return }
        shown.remove(at: index)
        write(line)
    }

    func showNote(_ note: String, in scene: UIScene?) { write(lineOfItsOwn: note) }

    func showFailure(_ error: any Error, ofActivityType activityType: String, in scene: UIScene?) {
        write(lineOfItsOwn: error.localizedDescription)
    }

    private func write(lineOfItsOwn text: String) {
        write((shown.isEmpty ? "" : Self.cleared) + text + "\n" + (shown.isEmpty ? "" : line))
    }

    private var line: String { Self.cleared + (shown.last?.text ?? "") }
}
