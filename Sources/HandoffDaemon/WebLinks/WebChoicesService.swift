// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire
package import Logging

/// What the other features ask about what the user chose for the pages of a host. `WebChoicesService` answers.
package protocol WebChoosing: AnyObject {
    /// Nil: nothing.
    func choice(for host: WebHost) -> WebTaker?
    /// Called after another choice was made for that host. In the order of registration.
    func onChange(_ observer: @escaping (WebHost) -> Void)
}

/// Who continues the pages of a host where an app and a browser could, as the user chose. Kept over restarts.
package final class WebChoicesService: Feature {
    package static let name = "WebChoices"

    package static let file = "web-choices"

    private let store: any StateStore
    private let log: Logger

    private var choices = WebChoices()
    private var observers: [(WebHost) -> Void] = []

    package init(store: any StateStore, log: Logger) {
        self.store = store
        self.log = log
    }

    package func start() throws {
        guard let bytes = try store.read(Self.file) else { return }
        do throws(WireError) {
            choices = try WebChoices(encoded: bytes)
        } catch {
            // Nothing is lost but what can be said again; the next choice writes the file anew.
            log.error("Choices for sites are damaged; ignoring them", metadata: ["file": "\(Self.file)"])
        }
    }

    package func stop() {}

    package var list: [WebChoice] { choices.list }

    /// Whether it can be, whoever asks has made sure.
    package func choose(_ taker: WebTaker?, for host: WebHost) throws(Failure) {
        var changed = choices
        try changed.choose(taker, for: host)
        guard changed != choices else { return }
        // On disk first: what the user was told is chosen is chosen after a crash too.
        try store.write(changed.encoded(), to: Self.file)
        choices = changed
        for observer in observers { observer(host) }
    }
}

extension WebChoicesService: WebChoosing {
    package func choice(for host: WebHost) -> WebTaker? { choices[host] }

    package func onChange(_ observer: @escaping (WebHost) -> Void) { observers.append(observer) }
}
