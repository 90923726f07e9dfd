// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Which of two links to one device stays. Both sides decide alone and come to the same answer.
package enum LinkElection {
    /// A link whose hellos were exchanged.
    package struct Candidate: Hashable, Sendable {
        package let dialler: DeviceID
        /// Of the other device, from its hello.
        package let boot: BootID
        package let establishedAt: Instant

        package init(dialler: DeviceID, boot: BootID, establishedAt: Instant) {
            self.dialler = dialler
            self.boot = boot
            self.establishedAt = establishedAt
        }
    }

    package enum Verdict: Hashable, Sendable {
        case keepCurrent
        case takeNewcomer
    }

    /// As long as one dial may take. A device with a session does not dial, so a link that comes later than this after
    /// the current one means that the other side has lost it already.
    package static let simultaneityWindow: Duration = .seconds(10)

    package static func verdict(current: Candidate, newcomer: Candidate) -> Verdict {
        // The other daemon was started anew; the current link ends in the one that is gone.
        if newcomer.boot != current.boot { return .takeNewcomer }
        if newcomer.dialler == current.dialler { return .takeNewcomer }
        if current.establishedAt.duration(to: newcomer.establishedAt) > simultaneityWindow { return .takeNewcomer }
        return newcomer.dialler < current.dialler ? .takeNewcomer : .keepCurrent
    }
}
