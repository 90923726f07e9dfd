// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Which of several links to one device stays.
///
/// Frames of two links overtake each other, so two sides that judge by what came first judge differently, and each may
/// close the link that the other keeps. Therefore one side alone chooses: the device with the lower id. It says hello
/// on a link only when it chooses it, and counts its choices in those hellos; the other side keeps the highest count,
/// whatever came first. So the choice that was made last is closed by nobody, and every other link is closed by the
/// one who chose.
///
/// A link of a better way takes the place of one that works; a link of a worse way takes the place of none, unless the
/// other daemon was started anew. Whether the current one still works is found out: then there is none, and the next
/// dial is taken as it comes.
package enum LinkElection {
    /// A link on which the other side said hello.
    package struct Candidate: Hashable, Sendable {
        /// Of the other device, from its hello.
        package let boot: BootID
        /// The count in the chooser's hello; zero before the choice.
        package let choice: UInt64
        package let greetedAt: Instant
        package let preference: LinkPreference

        package init(boot: BootID, choice: UInt64, greetedAt: Instant, preference: LinkPreference) {
            self.boot = boot
            self.choice = choice
            self.greetedAt = greetedAt
            self.preference = preference
        }
    }

    package enum Verdict: Hashable, Sendable {
        case takeNewcomer
        /// Find out whether the current link still stands: that there is a newcomer is a reason for doubt.
        case keepCurrent
    }

    /// A side with a session says hello on no other link of its own. So a hello that comes later than this after the
    /// current link was chosen means that the other side has lost that one.
    package static let simultaneityWindow: Duration = .seconds(2)

    package static func isChooser(_ device: DeviceID, with other: DeviceID) -> Bool { device < other }

    /// For the device that chooses. `current` is the link that was chosen last, of the way of that `preference`; nil if the
    /// other side has not said hello on it yet: then a newcomer that is no worse is the better one, for it works.
    package static func choice(
        current: Candidate?, of preference: LinkPreference, newcomer: Candidate
    ) -> Verdict {
        // The hello of a daemon that is gone may come after that of its successor.
        if let current, newcomer.boot != current.boot {
            return newcomer.boot > current.boot ? .takeNewcomer : .keepCurrent
        }
        if newcomer.preference != preference {
            return newcomer.preference > preference ? .takeNewcomer : .keepCurrent
        }
        guard let current else { return .takeNewcomer }
        let apart = current.greetedAt.duration(to: newcomer.greetedAt)
        return apart > simultaneityWindow ? .takeNewcomer : .keepCurrent
    }

    /// Whether a link that we dialled and got is worth a hello beside the session that there is.
    package static func isWorthwhile(_ newcomer: LinkPreference, beside session: LinkPreference?) -> Bool {
        session.map { newcomer > $0 } ?? true
    }

    /// For the other device: which of two chosen links was chosen last. How good they are was judged by who chose.
    package static func latest(current: Candidate, newcomer: Candidate) -> Verdict {
        if newcomer.boot != current.boot { return newcomer.boot > current.boot ? .takeNewcomer : .keepCurrent }
        return newcomer.choice > current.choice ? .takeNewcomer : .keepCurrent
    }
}
