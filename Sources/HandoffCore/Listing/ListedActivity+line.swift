// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension ListedActivity {
    /// Under what it is shown.
    package var title: DisplayText { offer.title.flatMap { $0.isEmpty ? nil : $0 } ?? offer.appName }

    /// A person needs no more than a press: it is on another device, and goes on in an app or as a page. What is left to a
    /// script is not.
    package var goesOnWithAPress: Bool {
        switch target {
        case .app, .webPage: !isFromThisDevice
        case .script, .nothing: false
        }
    }

    package var key: Key { Key(device: device, activity: offer.activity) }

    /// Which line it is in a list of what is offered.
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
