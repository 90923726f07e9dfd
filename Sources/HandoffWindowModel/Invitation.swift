// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct Invitation {
    package enum Standing: Hashable, Sendable {
        /// Waiting for the code.
        case asking
        case showing(InviteOffer)
        /// The user compares the numbers.
        case comparing(JoinRequestSummary)
        case admitting
        case joined(DisplayText)
        case over(Failure)
    }

    package private(set) var standing = Standing.asking
    private var offer: InviteOffer?

    init() {}

    mutating func heard(_ answer: Result<LocalMessage, Failure>) {
        switch answer {
        case .success(.identity(.invite(let offer))):
            self.offer = offer
            standing = .showing(offer)
        case .success(.identity(.joinAsked(let asked))):
            if !isOver { standing = .comparing(asked) }
        case .success(.identity(.inviteUsed(.success(let device)))): standing = .joined(device.name)
        case .success(.identity(.inviteUsed(.failure(let failure)))), .failure(let failure):
            if !isOver { standing = .over(failure) }
        case .success: break
        }
    }

    mutating func decided(admit: Bool) -> LocalMessage? {
        guard case .comparing(let asked) = standing else { return nil }
        standing = .admitting
        return .identity(.answerJoin(asked.device, admit: admit))
    }

    /// If the device has left, the code is still valid.
    mutating func heardOfDecision(_ answer: Result<LocalMessage, Failure>) {
        guard case .failure(let failure) = answer, standing == .admitting else { return }
        standing = offer.map(Standing.showing) ?? .over(failure)
    }

    private var isOver: Bool {
        switch standing {
        case .joined, .over: true
        case .asking, .showing, .comparing, .admitting: false
        }
    }
}

extension String {
    /// Easier to compare: `123 456`.
    package var inHalves: String { "\(prefix(count / 2)) \(dropFirst(count / 2))" }
}
