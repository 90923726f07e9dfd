// SPDX-License-Identifier: Apache-2.0

package import HandoffIcons
package import HandoffWire

package struct ActivityLine: Hashable, Sendable {
    /// Two devices may offer the same activity.
    package struct ID: Hashable, Sendable {
        var activity: ActivityID
        package var device: DeviceID

        init(_ activity: ActivityID, on device: DeviceID) {
            self.activity = activity
            self.device = device
        }
    }

    package enum Standing: Hashable, Sendable {
        case ready
        case underWay
        case failed(mayBeRetried: Bool)
        /// Stays while the list is pointed at.
        case gone
        /// No app here continues it.
        case missing
    }

    package var id: ID
    package var title: String
    package var details: String
    package var since: WallTime
    package var picture: AppPicture
    package var emblem: Icon
    package var standing: Standing
    package var isSent: Bool
    /// Accessible.
    package var buttonLabel: String
    /// Nil if not sent here.
    package var dismissLabel: String?

    package var isPressable: Bool {
        switch standing {
        case .ready, .failed(mayBeRetried: true): true
        case .underWay, .failed(mayBeRetried: false), .gone, .missing: false
        }
    }
}

extension [ActivityLine] {
    /// Return continues it.
    package var newest: ActivityLine? { filter { $0.standing == .ready }.max { $0.since < $1.since } }
}
