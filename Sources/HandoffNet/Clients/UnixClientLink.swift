// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// A program of this user on the daemon's socket.
final class UnixClientLink: ClientLink {
    let processID: Int32
    let program: RunningProgram?
    /// It has sent nothing yet.
    var isFresh = true
    /// Nil once it ended.
    var connection: FrameConnection<LocalFrame>?

    init(credentials: PeerCredentials) {
        processID = credentials.processID
        program = credentials.program
    }

    func send(_ frame: LocalFrame) { connection?.send(frame) }
    var isBehind: Bool { connection?.isBehind == true }
    func close() { connection?.close() }
}
