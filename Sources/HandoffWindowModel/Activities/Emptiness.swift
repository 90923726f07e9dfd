// SPDX-License-Identifier: Apache-2.0

package import HandoffWire
package import HandoffWords

/// Why there is nothing to continue, as far as the daemon knows: the likely reason.
package enum Emptiness: Hashable, Sendable {
    /// Continuing is switched off here.
    case off
    /// The account has no other device.
    case alone
    /// None of the others is connected.
    case apart
    /// Others offer something that nothing here continues.
    case unfit
    /// Others offer nothing.
    case quiet

    package init(_ status: DaemonStatus) {
        let isOff = status.policy.off.contains { $0.subject == PolicySubject(.receiving) }
        self =
            if isOff || status.policy.problem != nil { .off } else if status.devicesKnown < 2 {
                .alone
            } else if status
                .devicesConnected == 0
            { .apart } else if status.activitiesOffered > 0 { .unfit } else { .quiet }
    }

    package func sentence(_ words: Words) -> String {
        switch self {
        case .off: words[.emptyOff]
        case .alone: words[.emptyAlone]
        case .apart: words[.emptyApart]
        case .unfit: words[.emptyUnfit]
        case .quiet: words[.emptyQuiet]
        }
    }
}
