// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import HandoffClient
internal import HandoffHost
internal import HandoffWire

extension BlockingClient {
    /// Longer than every deadline of the daemon.
    private static var continuationTimeout: Duration { .seconds(120) }

    /// `message` begins a continuation.
    func follow(_ message: LocalMessage, _ output: Output) throws -> ContinuationOutcome {
        let request = try begin(message)
        var line = ProgressLine("receiving", output)
        defer { line.clear() }
        while true {
            switch try receiveAnswer(to: request, timeout: Self.continuationTimeout) {
            case .continuation(.progress): continue
            case .documents(.documentProgress(let progress)): line.show { progress.line(columns: $0) }
            case .continuation(.outcome(let outcome)): return outcome
            default: throw Failure.unexpectedAnswer
            }
        }
    }
}

extension ShownOutcome {
    /// Opens a web page on a desktop, or if `opensPages` is set.
    func present(_ output: Output, opensPages: Bool) throws {
        if output.json {
            output.show(self)
        } else if let page = webPage {
            output.print(page)
            remark.map(output.remark)
        } else if let state = activity {
            output.showJSON(state)
            remark.map(output.remark)
        } else {
            output.show(self)
        }
        if let page = webPage, opensPages || (output.terminal.isTerminal && Self.hasDesktop) {
            try WebPageOpener(environment: ProcessInfo.processInfo.environment).openAndWait(page)
        }
    }

    private static var hasDesktop: Bool {
        let environment = ProcessInfo.processInfo.environment
        return environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    }
}
