// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Switches both directions off for a time.
package enum Pause: CaseIterable, Hashable, Sendable {
    case hour
    case untilTomorrow

    package var title: Word {
        switch self {
        case .hour: .pauseHour
        case .untilTomorrow: .pauseTomorrow
        }
    }

    package func end(after now: WallTime) -> WallTime {
        switch self {
        case .hour: now.advanced(by: .seconds(3600))
        case .untilTomorrow: now.nextMorning ?? now.advanced(by: .seconds(86_400))
        }
    }
}

/// Directions that are off permanently, or by the administrator, are not paused, and resuming does not change them.
extension PolicySummary {
    /// Nil: not paused.
    package var pausedUntil: WallTime? { paused.compactMap(\.until).max() }

    package var canBePaused: Bool { !pausable.isEmpty }

    /// Each is a request of its own.
    package func pausing(_ pause: Pause, at now: WallTime) -> [PolicyChange] {
        let end = pause.end(after: now)
        return pausable.map { PolicyChange($0, isOff: true, until: end) }
    }

    package var resuming: [PolicyChange] { paused.map { PolicyChange($0.subject, isOff: false) } }

    private var paused: [PolicySwitch] {
        off.filter { $0.subject.bundle == nil && $0.until != nil && !$0.isByAdministrator }
    }

    private var pausable: [PolicySubject] {
        HandoffDirection.both.map { PolicySubject($0) }.filter { subject in
            !off.contains { $0.subject == subject && ($0.until == nil || $0.isByAdministrator) }
        }
    }
}
