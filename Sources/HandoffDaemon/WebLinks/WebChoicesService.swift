// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire
package import Logging

/// What the other features ask about what the user chose for the pages of a host. `WebChoicesService` answers.
package protocol WebChoosing: AnyObject {
    /// Nil: nothing.
    func choice(for host: WebHost) -> WebTaker?
    /// Called after another choice was made. In the order of registration.
    func onChange(_ observer: @escaping () -> Void)
}

/// Who goes on with the pages of a host where an app and a browser could, as the user chose. Kept over restarts.
package final class WebChoicesService: Feature {
    package static let name = "WebChoices"

    package static let file = "web-choices"

    private let launching: any Launching
    private let store: any StateStore
    private let log: Logger

    private var choices = WebChoices()
    private var observers: [() -> Void] = []

    package init(launching: any Launching, store: any StateStore, log: Logger) {
        self.launching = launching
        self.store = store
        self.log = log
    }

    package func start() throws {
        guard let bytes = try store.read(Self.file) else { return }
        do throws(WireError) {
            choices = try WebChoices(encoded: bytes)
        } catch {
            // Nothing is lost but what can be said again; the next choice writes the file anew.
            log.error("the choices for sites are damaged; none counts", metadata: ["file": "\(Self.file)"])
        }
    }

    package func stop() {}

    private func choose(_ taker: WebTaker?, for host: WebHost) throws(Failure) {
        if case .app(let bundle) = taker {
            let resolution = launching.resolve(pageOf: host, wish: Resolution.Wish(app: bundle))
            if case .nothing(let why) = resolution.target { throw Failure(.notAllowed, why) }
        }
        var changed = choices
        try changed.choose(taker, for: host)
        guard changed != choices else { return }
        // On disk first: what the user was told is chosen is chosen after a crash too.
        try store.write(changed.encoded(), to: Self.file)
        choices = changed
        for observer in observers { observer() }
    }
}

extension WebChoicesService: WebChoosing {
    package func choice(for host: WebHost) -> WebTaker? { choices[host] }

    package func onChange(_ observer: @escaping () -> Void) { observers.append(observer) }
}

extension WebChoicesService: ClientMessageHandler {
    package func handle(_ message: LocalMessage, from client: any Client, reply: @escaping ClientReply) -> Bool {
        switch message {
        case .listWebChoices, .chooseForHost: break
        default: return false
        }
        // Which sites its user has chosen for is no app's business.
        guard client.role == .control || client.role == .browser else {
            reply(.failure(Failure(.notAllowed, "an app cannot choose who goes on with the pages of a site")))
            return true
        }
        do throws(Failure) {
            if case .chooseForHost(let host, let taker) = message { try choose(taker, for: host) }
            reply(.webChoices(choices.list))
        } catch {
            reply(.failure(error))
        }
        return true
    }
}
