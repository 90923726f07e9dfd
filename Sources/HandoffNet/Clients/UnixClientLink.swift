// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

final class UnixClientLink: ClientLink {
    let processID: Int32
    let program: RunningProgram?
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
