// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire
package import Logging

/// The user's choice of an app or a browser for the pages of a host. Kept across restarts.
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
            // The user can repeat lost choices; the next one rewrites the file.
            log.error("Choices for sites are damaged; ignoring them", metadata: ["file": "\(Self.file)"])
        }
    }

    package func stop() {}

    package var list: [WebChoice] { choices.list }

    /// The caller has checked that the choice is possible.
    package func choose(_ taker: WebTaker?, for host: WebHost) throws(Failure) {
        var changed = choices
        try changed.choose(taker, for: host)
        guard changed != choices else { return }
        // Written first, because the choice must survive a crash once it is reported.
        try store.write(changed.encoded(), to: Self.file)
        choices = changed
        for observer in observers { observer(host) }
    }
}

extension WebChoicesService {
    package func choice(for host: WebHost) -> WebTaker? { choices[host] }

    /// Called after the choice for that host changed, in the order of registration.
    package func onChange(_ observer: @escaping (WebHost) -> Void) { observers.append(observer) }
}
