// SPDX-License-Identifier: Apache-2.0

/// When to try the daemon's socket again.
///
/// A socket that appears is seen at once, so the timer is only for what no event tells: a socket that is bound but does
/// not listen yet, and a system without inotify.
package struct ReconnectSchedule: Sendable, Equatable {
    /// After a refusal, while the daemon may be starting or going.
    package var quick: [Duration] = [
        .milliseconds(2), .milliseconds(10), .milliseconds(50), .milliseconds(250), .seconds(1),
    ]
    /// After that.
    package var fallback: Duration = .seconds(30)
    /// After that, where the system has no watch to give.
    package var blind: Duration = .seconds(2)

    private var attempts = 0

    package init() {}

    /// The daemon's socket appeared, or a connection was lost: the quick tries start anew.
    package mutating func restarted() { attempts = 0 }

    /// How long to wait at most after a failed try.
    package mutating func failed(isBlind: Bool = false) -> Duration {
        defer { attempts += 1 }
        guard attempts >= quick.count else { return quick[attempts] }
        return isBlind ? min(blind, fallback) : fallback
    }
}
