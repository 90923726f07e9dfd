// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Chooses between links to one device.
///
/// Frames on two links overtake each other, so if both sides judged by the order of arrival, each could close the link
/// that the other keeps. Therefore only the device with the lower ID chooses. It sends its hello only on a link that it
/// chooses, and numbers its choices. The other side keeps the link with the highest number, and the chooser closes
/// every other link.
///
/// A link with a higher preference replaces a working link. A lower preference never does, unless the other daemon has
/// restarted. A link in doubt is checked; if it is dead, the next dial is accepted.
enum LinkElection {
    struct Candidate: Hashable, Sendable {
        let boot: BootID
        /// Zero before the choice.
        let choice: UInt64
        let greetedAt: Instant
        let preference: LinkPreference
    }

    enum Verdict: Hashable, Sendable {
        case takeNewcomer
        /// Check the current link, which is in doubt.
        case keepCurrent
    }

    /// A side with a session sends no hello on another link that it dialled. So a hello later than this after the
    /// choice means that the other side has lost the chosen link.
    static let simultaneityWindow: Duration = .seconds(2)

    static func isChooser(_ device: DeviceID, with other: DeviceID) -> Bool { device < other }

    /// For the chooser. `current`: the last choice. Nil: without the other side's hello; a newcomer of at least equal
    /// preference is then better, because it works.
    static func choice(
        current: Candidate?, of preference: LinkPreference, newcomer: Candidate
    ) -> Verdict {
        // A dead daemon's hello may arrive after its successor's.
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

    static func isWorthwhile(_ newcomer: LinkPreference, beside session: LinkPreference?) -> Bool {
        session.map { newcomer > $0 } ?? true
    }

    /// For the other device. The chooser has compared the preferences.
    static func latest(current: Candidate, newcomer: Candidate) -> Verdict {
        if newcomer.boot != current.boot { return newcomer.boot > current.boot ? .takeNewcomer : .keepCurrent }
        return newcomer.choice > current.choice ? .takeNewcomer : .keepCurrent
    }
}

/// Notices that two machines have one device's key, for example after a disk was copied.
///
/// A restarted daemon never returns to its earlier run, so a call from an earlier run during a session of a later run
/// is from another machine, unless the session has ended unnoticed, which shows within seconds. The device's key proves
/// calls: no stranger can make a device look copied.
struct CopyWatch {
    private struct Refusal {
        let earlier: BootID
        let later: BootID
        let first: Instant
    }

    private var refusals: [DeviceID: Refusal] = [:]

    init() {}

    mutating func refused(_ earlier: BootID, beside later: BootID, of device: DeviceID, now: Instant) -> Bool {
        if let known = refusals[device], known.earlier == earlier, known.later == later {
            return known.first.duration(to: now) >= SessionLimits.copyIsCertainAfter
        }
        refusals[device] = Refusal(earlier: earlier, later: later, first: now)
        return false
    }

    mutating func keep(_ devices: Set<DeviceID>) { refusals = refusals.filter { devices.contains($0.key) } }
}
