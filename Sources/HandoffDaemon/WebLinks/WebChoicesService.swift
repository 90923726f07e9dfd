// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

/// The user's choice of an app or a browser for the pages of a host. Kept across restarts.
final class WebChoicesService: Feature {
    static let name = "WebChoices"

    static let file = "web-choices"

    private let store: any StateStore
    private let log: Logger

    private var choices = WebChoices()
    private var observers: [(WebHost) -> Void] = []

    init(store: any StateStore, log: Logger) {
        self.store = store
        self.log = log
    }

    func start() throws {
        guard let bytes = try store.read(Self.file) else { return }
        do throws(WireError) {
            choices = try WebChoices(encoded: bytes)
        } catch {
            // The user can repeat lost choices; the next one rewrites the file.
            log.error("Choices for sites are damaged; ignoring them", metadata: ["file": "\(Self.file)"])
        }
    }

    func stop() {}

    var list: [WebChoice] { choices.list }

    /// The caller has checked that the choice is possible.
    func choose(_ taker: WebTaker?, for host: WebHost) throws(Failure) {
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
    func choice(for host: WebHost) -> WebTaker? { choices[host] }

    /// Called after the choice for that host changed, in the order of registration.
    func onChange(_ observer: @escaping (WebHost) -> Void) { observers.append(observer) }
}
