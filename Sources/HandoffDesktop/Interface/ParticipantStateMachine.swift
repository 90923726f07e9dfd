// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Each announced continuation has exactly one outcome. The participant stays registered while the daemon is gone.
struct ParticipantStateMachine: ~Copyable {
    private enum Phase {
        /// The daemon has not answered the registration. Can transition to: open, ended.
        case greeting
        /// Can transition to: waiting, ended.
        case open
        /// The daemon is gone; the program registers again when it is back. Can transition to: open, ended.
        case waiting
        case ended
    }

    struct Announced: Hashable, Sendable {
        var continuation: ContinuationID
        var type: ActivityType

        init(_ continuation: ContinuationID, _ type: ActivityType) {
            self.continuation = continuation
            self.type = type
        }
    }

    /// The daemon has one under way at a time.
    static let announcements = 16

    private var phase = Phase.greeting
    private var offered: Publication?
    private var announced: [Announced] = []

    init() {}

    var current: ActivityID? { offered?.activity }

    var isOpen: Bool {
        switch phase {
        case .open: true
        case .greeting, .waiting, .ended: false
        }
    }

    // MARK: The daemon

    enum WelcomeAction: Hashable, Sendable {
        case answerRegistration
        /// The daemon was restarted and lost the offer.
        case publishAgain(Publication)
        case nothing
    }

    mutating func welcomed() -> WelcomeAction {
        switch phase {
        case .greeting:
            phase = .open
            return .answerRegistration
        case .waiting:
            phase = .open
            return offered.map(WelcomeAction.publishAgain) ?? .nothing
        case .open, .ended: return .nothing
        }
    }

    enum RefusalAction: Hashable, Sendable {
        case answerRegistration
        case end
        /// The daemon is still gone; the caller tries again.
        case nothing
    }

    mutating func refused(_ failure: Failure) -> RefusalAction {
        switch phase {
        case .greeting:
            phase = .ended
            return .answerRegistration
        case .waiting where failure.code != .connectionUnavailable:
            phase = .ended
            return .end
        case .waiting, .open, .ended: return .nothing
        }
    }

    /// Returns continuations whose outcomes the daemon will not report.
    mutating func daemonLost() -> [Announced] {
        switch phase {
        case .open: phase = .waiting
        case .greeting, .waiting, .ended: break
        }
        return takeAnnounced()
    }

    // MARK: The program

    mutating func published(_ publication: Publication) -> Bool {
        switch phase {
        case .open, .waiting:
            offered = publication
            return true
        case .greeting, .ended: return false
        }
    }

    mutating func withdrew(_ activity: ActivityID) -> Bool {
        guard offered?.activity == activity else { return false }
        offered = nil
        return true
    }

    mutating func ended() -> [Announced] {
        phase = .ended
        offered = nil
        return takeAnnounced()
    }

    // MARK: Continuations

    mutating func announce(_ continuation: ContinuationID, _ type: ActivityType) -> Bool {
        guard isOpen, announced.count < Self.announcements,
            !announced.contains(where: { $0.continuation == continuation })
        else { return false }
        announced.append(Announced(continuation, type))
        return true
    }

    /// Nil: none is due.
    mutating func settled(_ continuation: ContinuationID) -> Announced? {
        announced.firstIndex { $0.continuation == continuation }.map { announced.remove(at: $0) }
    }

    private mutating func takeAnnounced() -> [Announced] {
        defer { announced = [] }
        return announced
    }
}
