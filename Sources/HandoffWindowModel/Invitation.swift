// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct Invitation {
    package enum Standing: Hashable, Sendable {
        case asking
        case showing(InviteOffer)
        /// The user compares the numbers, of one device after the other.
        case comparing(JoinRequestSummary)
        case admitting
        case joined(DisplayText)
        case over(Failure)
    }

    package private(set) var standing = Standing.asking
    private var offer: InviteOffer?
    private var asked: [JoinRequestSummary] = []

    init() {}

    mutating func heard(_ answer: Result<LocalMessage, Failure>) {
        switch answer {
        case .success(.identity(.invite(let offer))):
            self.offer = offer
            standing = .showing(offer)
        case .success(.identity(.joinAsked(let asked))):
            self.asked.append(asked)
            askNext()
        case .success(.identity(.joinLeft(let device))):
            asked.removeAll { $0.device == device }
            if case .comparing(let shown) = standing, shown.device == device { showOffer() }
            askNext()
        case .success(.identity(.inviteUsed(.success(let device)))): standing = .joined(device.name)
        case .success(.identity(.inviteUsed(.failure(let failure)))), .failure(let failure):
            if !isOver { standing = .over(failure) }
        case .success: break
        }
    }

    mutating func decided(admit: Bool) -> LocalMessage? {
        guard case .comparing(let asked) = standing else { return nil }
        self.asked.removeAll { $0.device == asked.device }
        standing = .admitting
        return .identity(.answerJoin(asked.device, admit: admit))
    }

    /// If the device has left, or was declined and only chose this one from a list, the code is still valid.
    mutating func heardOfDecision(_ answer: Result<LocalMessage, Failure>) {
        guard standing == .admitting else { return }
        showOffer()
        askNext()
    }

    private mutating func showOffer() { if let offer { standing = .showing(offer) } }

    private mutating func askNext() {
        switch standing {
        case .asking, .showing: if let next = asked.first { standing = .comparing(next) }
        case .comparing, .admitting, .joined, .over: break
        }
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
