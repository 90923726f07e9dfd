// SPDX-License-Identifier: Apache-2.0

package import HandoffWire
package import HandoffWords

/// A line of the list of what other devices are doing, in words.
package struct ActivityLine: Hashable, Sendable {
    /// The same activity may be on two devices.
    package struct ID: Hashable, Sendable {
        package var activity: ActivityID
        package var device: DeviceID

        package init(_ activity: ActivityID, on device: DeviceID) {
            self.activity = activity
            self.device = device
        }
    }

    /// What goes on with it.
    package enum Standing: Hashable, Sendable {
        case ready
        /// In words, how far it is.
        case underWay(String)
        case failed(Trouble)
        /// No longer offered, and only still in its place because the list is being pointed at.
        case gone
    }

    package var id: ID
    package var title: String
    /// Its app, its device, its age; or how far a continuation is, or what went wrong.
    package var details: String
    package var icon: Icon
    package var standing: Standing
    /// For who does not see the button: all that it does.
    package var buttonLabel: String
    /// The same of the button that dismisses it; nil: it was not sent here, and nobody can.
    package var dismissLabel: String?

    package var isPressable: Bool {
        switch standing {
        case .ready, .failed: true
        case .underWay, .gone: false
        }
    }
}
