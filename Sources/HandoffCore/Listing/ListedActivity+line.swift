// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension ListedActivity {
    package var title: DisplayText { DisplayText(cleaning: offer.knownTitle) }

    /// An activity for a script needs more.
    package var isContinuedByOneClick: Bool {
        switch target {
        case .app, .webPage: !isFromThisDevice
        case .script, .nothing: false
        }
    }

    package var key: Key { Key(device: device, activity: offer.activity) }

    package struct Key: Hashable, Sendable, Comparable {
        package var device: DeviceID
        package var activity: ActivityID

        package init(device: DeviceID, activity: ActivityID) {
            self.device = device
            self.activity = activity
        }

        package static func < (one: Key, other: Key) -> Bool {
            (one.device, one.activity) < (other.device, other.activity)
        }
    }
}
