// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import HandoffClient
internal import HandoffWire

extension BlockingClient {
    /// Connects, or says how to start a daemon.
    static func connect(common: CommonOptions, name: String) throws(CommandFailure) -> BlockingClient {
        let hello = LocalHello(role: .control, name: DisplayText(cleaning: name, limit: Limits.nameCharacters))
        do throws(Failure) {
            return try connect(to: common.locations, hello: hello)
        } catch {
            guard error.code == .connectionUnavailable else { throw CommandFailure(error) }
            throw CommandFailure(
                .noDaemon, code: "noDaemon", error.reason, advice: "run: \(howToStart(common.locations))")
        }
    }

    /// By the user's service manager, where there is one and it knows the daemon.
    private static func howToStart(_ locations: Locations) -> String {
        if let root = locations.root { return "handoffd --root \(root) &" }
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let prefix = URL(filePath: program).deletingLastPathComponent().deletingLastPathComponent().path
        let manager = URL(filePath: locations.runtime).deletingLastPathComponent().path + "/systemd/private"
        let isManaged = [prefix + "/lib/systemd/user/handoffd.socket", manager].allSatisfy {
            FileManager.default.fileExists(atPath: $0)
        }
        return isManaged ? "systemctl --user start handoffd.socket" : "handoffd &"
    }

    /// One question whose answer is of one kind.
    func ask<Answer>(
        _ message: LocalMessage, timeout: Duration = .seconds(30), _ expected: (LocalMessage) -> Answer?
    ) throws(Failure) -> Answer {
        guard let answer = expected(try call(message, timeout: timeout)) else { throw .unexpectedAnswer }
        return answer
    }

    /// Asks what may be answered more than once; the request's number.
    func begin(_ message: LocalMessage) throws(Failure) -> UInt64 {
        let request = nextRequest()
        try send(LocalFrame(message, request: request))
        return request
    }

    /// The next frame that answers `request`; a failure is thrown.
    func receiveAnswer(to request: UInt64, timeout: Duration? = nil) throws(Failure) -> LocalMessage {
        while true {
            let frame = try receive(timeout: timeout)
            guard frame.answer == request else { continue }
            if case .failure(let failure) = frame.message { throw failure }
            return frame.message
        }
    }
}
