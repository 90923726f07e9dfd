// SPDX-License-Identifier: Apache-2.0

/// A new socket file is noticed immediately. The timer is for cases without an event: a socket that is bound but not
/// listening yet, and a system without inotify.
package struct ReconnectSchedule: Sendable, Equatable {
    /// For a refusal while the daemon may be starting or stopping.
    package var quick: [Duration] = [
        .milliseconds(2), .milliseconds(10), .milliseconds(50), .milliseconds(250), .seconds(1),
    ]
    package var fallback: Duration = .seconds(30)
    /// If the system has no inotify watch left.
    package var blind: Duration = .seconds(2)

    private var attempts = 0

    package init() {}

    /// The daemon's socket appeared, or a connection was lost.
    package mutating func restarted() { attempts = 0 }

    /// Returns the longest time to wait.
    package mutating func failed(isBlind: Bool = false) -> Duration {
        defer { attempts += 1 }
        guard attempts >= quick.count else { return quick[attempts] }
        return isBlind ? min(blind, fallback) : fallback
    }
}
