// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
package import HandoffStrings

package enum ServiceStart: Hashable, Sendable {
    package enum Problem: Hashable, Sendable {
        case noServiceManager
        case notInstalled
        /// systemd tried.
        case failed
    }

    case notTried
    case starting
    case failed(Problem)

    package func sentence(_ strings: LocalizedStrings) -> String? {
        switch self {
        case .notTried, .starting: nil
        case .failed(.noServiceManager): strings[.startNoManager]
        case .failed(.notInstalled): strings[.startNotInstalled]
        case .failed(.failed): strings(.startFailed, "journalctl --user --unit \(DaemonStart.service)")
        }
    }
}
