// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem

extension SpawnedProcess {
    func wait() -> AppExit {
        guard let status = waitForStatus() else {
            return .notStarted(reason: "lost sight of process \(id): \(String(cString: strerror(errno)))")
        }
        let signal = status & 0x7f
        return signal == 0 ? .exited(code: (status >> 8) & 0xff) : .signalled(signal)
    }
}
