// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A program on the user's bus that takes part: what it offers, and what it was told is coming. It stays registered while the
/// daemon is gone, and what was announced to it gets exactly one outcome, whatever goes first: the daemon, the program's
/// name, or the continuation.
package struct ParticipantStateMachine: ~Copyable {
    private enum Phase {
        /// The daemon has not said yet who it is. Can transition to: open, ended.
        case greeting
        /// Can transition to: waiting, ended.
        case open
        /// The daemon is gone; it is greeted again when it is back. Can transition to: open, ended.
        case waiting
        case ended
    }

    /// A continuation that it was told of.
    package struct Announced: Hashable, Sendable {
        package var continuation: ContinuationID
        package var type: ActivityType

        package init(_ continuation: ContinuationID, _ type: ActivityType) {
            self.continuation = continuation
            self.type = type
        }
    }

    /// Announced and without an outcome at a time. The daemon has one under way.
    package static let announcements = 16

    private var phase = Phase.greeting
    private var offered: Publication?
    /// In the order in which they were announced.
    private var announced: [Announced] = []

    package init() {}

    /// What it offers now.
    package var current: ActivityID? { offered?.activity }

    package var isOpen: Bool {
        switch phase {
        case .open: true
        case .greeting, .waiting, .ended: false
        }
    }

    // MARK: The daemon

    package enum WelcomeAction: Hashable, Sendable {
        case answerRegistration
        /// It was gone: it knows nothing of what is offered.
        case publishAgain(Publication)
        case nothing
    }

    package mutating func welcomed() -> WelcomeAction {
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

    package enum RefusalAction: Hashable, Sendable {
        /// The registration fails with it.
        case answerRegistration
        /// The program is to hear that it takes part no more.
        case end
        /// There is no daemon yet; it is tried again.
        case nothing
    }

    /// The daemon cannot be reached, or does not take this program.
    package mutating func refused(_ failure: Failure) -> RefusalAction {
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

    /// Returns what was announced: no outcome comes from there any more.
    package mutating func daemonLost() -> [Announced] {
        switch phase {
        case .open: phase = .waiting
        case .greeting, .waiting, .ended: break
        }
        return takeAnnounced()
    }

    // MARK: The program

    /// False: it takes part no more.
    package mutating func published(_ publication: Publication) -> Bool {
        switch phase {
        case .open, .waiting:
            offered = publication
            return true
        case .greeting, .ended: return false
        }
    }

    /// False: it was not offered.
    package mutating func withdrew(_ activity: ActivityID) -> Bool {
        guard offered?.activity == activity else { return false }
        offered = nil
        return true
    }

    /// It left, or lost the name by which it was known. Returns what was announced to it.
    package mutating func ended() -> [Announced] {
        phase = .ended
        offered = nil
        return takeAnnounced()
    }

    // MARK: Continuations

    /// False: it is not to be told.
    package mutating func announce(_ continuation: ContinuationID, _ type: ActivityType) -> Bool {
        guard isOpen, announced.count < Self.announcements,
            !announced.contains(where: { $0.continuation == continuation })
        else { return false }
        announced.append(Announced(continuation, type))
        return true
    }

    /// Its outcome is here. Nil: none is due.
    package mutating func settled(_ continuation: ContinuationID) -> Announced? {
        announced.firstIndex { $0.continuation == continuation }.map { announced.remove(at: $0) }
    }

    private mutating func takeAnnounced() -> [Announced] {
        defer { announced = [] }
        return announced
    }
}
