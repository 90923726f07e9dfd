// SPDX-License-Identifier: Apache-2.0

package import HandoffStrings
package import HandoffWire

package enum Emptiness: Hashable, Sendable {
    /// Continuing is switched off on this device.
    case off
    /// The account has no other device.
    case alone
    /// This device has just joined.
    case connecting
    /// No other device is connected.
    case apart
    /// Other devices' activities cannot be continued here.
    case unfit
    /// Other devices offer nothing.
    case quiet

    package init(_ status: DaemonStatus, isConnecting: Bool = false) {
        let isOff = status.policy.off.contains { $0.subject == PolicySubject(.receiving) }
        self =
            if isOff || status.policy.problem != nil { .off } else if status.devicesKnown < 2 {
                .alone
            } else if status
                .devicesConnected == 0
            { isConnecting ? .connecting : .apart } else if status.activitiesOffered > 0 { .unfit } else { .quiet }
    }

    package func sentence(_ strings: LocalizedStrings) -> String {
        switch self {
        case .off: strings[.emptyOff]
        case .alone: strings[.emptyAlone]
        case .connecting: strings[.emptyConnecting]
        case .apart: strings[.emptyApart]
        case .unfit: strings[.emptyUnfit]
        case .quiet: strings[.emptyQuiet]
        }
    }
}
