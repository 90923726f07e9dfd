// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

final class Inbox: DaemonConnectionEvents {
    enum Event: Sendable {
        case connected(Welcome)
        case gone
        case asked(LocalMessage, AnswerTicket?)
        case answered(BrowserStateMachine.Question, Result<LocalMessage, Failure>)
        /// Nil on success.
        case windowOpened(Failure?)
        /// `data:` URLs.
        case iconsRead([BundleID: String])
    }

    /// Readable if there are events.
    let signal = WakeSignal()
    private let events = Lock<[Event]>([])
    private let browser: DisplayText

    init(browser: DisplayText) { self.browser = browser }

    func post(_ event: Event) {
        events.withLock { $0.append(event) }
        signal.signal()
    }

    func takeAll() -> [Event] {
        signal.clear()
        return events.withLock { events in
            defer { events = [] }
            return events
        }
    }

    func hello() -> LocalHello { LocalHello(role: .browser, name: browser, receives: true) }
    func connected(_ welcome: Welcome) { post(.connected(welcome)) }
    func disconnected(_ failure: Failure) { post(.gone) }
    func unavailable(_ failure: Failure) { post(.gone) }
    func received(_ message: LocalMessage, ticket: AnswerTicket?) { post(.asked(message, ticket)) }
    func woken() {}
}
