// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffClient
internal import HandoffWire

extension BlockingClient {
    /// On failure, the error explains how to start a daemon.
    static func connect(common: CommonOptions, name: String) throws(CommandFailure) -> BlockingClient {
        let hello = LocalHello(role: .control, name: DisplayText(cleaning: name, limit: Limits.nameCharacters))
        do throws(Failure) {
            return try connect(to: common.locations, hello: hello)
        } catch {
            guard error.code == .connectionUnavailable else { throw CommandFailure(error) }
            throw CommandFailure(.noDaemon, code: "noDaemon", error.reason, advice: howToStart(common.locations))
        }
    }

    private static func howToStart(_ locations: Locations) -> String {
        switch DaemonStart(locations) {
        case .command(let command): "run: \(command)"
        case .noSessionFolder(let folder):
            "\(folder), the folder for sockets of this log-in, does not exist: neither systemd nor elogind has created "
                + "it; make a folder that only you can enter, set XDG_RUNTIME_DIR to it, and run: handoffd &"
        case .foreignSessionFolder(let folder):
            "XDG_RUNTIME_DIR is \(folder), which is not yours, as in a shell of su; log in as this user, or set it to your "
                + "folder: export XDG_RUNTIME_DIR=/run/user/\(geteuid())"
        }
    }

    func ask<Answer>(
        _ message: LocalMessage, timeout: Duration = .seconds(30), _ expected: (LocalMessage) -> Answer?
    ) throws(Failure) -> Answer {
        guard let answer = expected(try call(message, timeout: timeout)) else { throw .unexpectedAnswer }
        return answer
    }

    /// Returns the request's number.
    func begin(_ message: LocalMessage) throws(Failure) -> UInt64 {
        let request = nextRequest()
        try send(LocalFrame(message, request: request))
        return request
    }

    func receiveAnswer(to request: UInt64, timeout: Duration? = nil) throws(Failure) -> LocalMessage {
        while true {
            let frame = try receive(timeout: timeout)
            guard frame.answer == request else { continue }
            if case .failure(let failure) = frame.message { throw failure }
            return frame.message
        }
    }
}
