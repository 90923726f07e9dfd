// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
package import Foundation
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

// Folders shared with the app on other devices. The first request asks the daemon.

struct KnownContainers: Sendable {
    struct Container: Sendable, Hashable {
        let identifier: String
        let place: FilePlace
    }

    /// In the order of the app's entitlements.
    var containers: [Container] = []
    /// Nil without an account.
    var accountToken: [UInt8]?
    /// From the current connection.
    var isCurrent = false
    var isAsked = false
    var isWanted = false
    var hasBeenTold = false
    var waiters: [Once<Void>] = []
}

extension ActivityCenter {
    /// The daemon answers within milliseconds.
    static let containerPatience = Duration.seconds(5)

    /// Blocks; not for the connection's thread. Empty without a daemon or an installed app.
    func containers() -> [KnownContainers.Container] {
        waitForContainers()
        return state.withLock { $0.files.known.isCurrent ? $0.files.known.containers : [] }
    }

    func accountToken() -> [UInt8]? {
        waitForContainers()
        return state.withLock { $0.files.known.isCurrent ? $0.files.known.accountToken : nil }
    }

    /// Also works without a connection, because folders do not move.
    func isInContainer(_ place: FilePlace) -> Bool {
        if state.withLock({ $0.files.known.containers.isEmpty }) { waitForContainers() }
        return state.withLock { $0.files.known.containers }.contains { place.isWithin($0.place) }
    }

    /// Does not wait. Asks the daemon if necessary, which then notifies the handler.
    package func isKnownInContainer(_ place: FilePlace) -> Bool {
        knownContainers().contains { place.isWithin($0.place) }
    }

    /// In the app's first container; nil until it is known.
    package var knownDocumentsFolder: URL? {
        knownContainers().first?.place.url.appending(path: "Documents", directoryHint: .isDirectory)
    }

    private func knownContainers() -> [KnownContainers.Container] {
        guard environment.bundle != nil else { return [] }
        return state.withLock { state in
            state.files.known.isWanted = true
            if !state.files.known.isCurrent {
                connect(&state)
                askForContainers(&state)
            }
            return state.files.known.containers
        }
    }

    private func waitForContainers() {
        guard environment.bundle != nil else { return }
        let answered = DispatchSemaphore(value: 0)
        let isAnswerDue = state.withLock { state in
            state.files.known.isWanted = true
            // Without a daemon, each call would wait for the full time.
            guard !state.files.known.isCurrent, environment.mayWait, !state.isOutageLogged else { return false }
            state.files.known.waiters.append(Once { answered.signal() })
            connect(&state)
            askForContainers(&state)
            return true
        }
        if isAnswerDue { _ = answered.wait(timeout: .now() + Self.containerPatience.dispatchInterval) }
    }

    func askForContainers(_ state: inout State) {
        guard state.isConnected, let connection = state.connection, environment.bundle != nil,
            state.files.known.isWanted, !state.files.known.isCurrent, !state.files.known.isAsked
        else { return }
        state.files.known.isAsked = connection.request(.documents(.showContainers)) { [weak self] result in
            switch result {
            case .success(.documents(.containers(let containers, let token))): self?.have(containers, token)
            case .failure(let failure) where failure.code == .connectionUnavailable: self?.containersAreNotToBeHad()
            // The daemon does not support containers, or has none for this app.
            case .success, .failure: self?.have([], nil)
            }
        }
    }

    func have(_ containers: [AppContainer], _ accountToken: [UInt8]?) {
        let found = containers.map {
            KnownContainers.Container(identifier: $0.container.name, place: FilePlace($0.path))
        }
        let (waiters, isOtherAccount, handler) = state.withLock { state in
            let known = state.files.known
            state.files.known.containers = found
            state.files.known.accountToken = accountToken
            state.files.known.isCurrent = true
            state.files.known.isAsked = false
            state.files.known.waiters = []
            state.files.known.hasBeenTold = true
            let isOther = known.containers != found || known.accountToken != accountToken
            return (
                known.waiters, known.hasBeenTold && known.accountToken != accountToken,
                isOther ? state.handler : nil
            )
        }
        for waiter in waiters { waiter(()) }
        handler?.containersChanged()
        guard isOtherAccount else { return }
        // Observers expect the main queue.
        DispatchQueue.main.async {
            self.run { NotificationCenter.default.post(name: .NSUbiquityIdentityDidChange, object: nil) }
        }
    }

    /// Waiting calls return without an answer.
    func containersAreNotToBeHad() {
        let waiters = state.withLock { state in
            defer { state.files.known.waiters = [] }
            state.files.known.isCurrent = false
            state.files.known.isAsked = false
            return state.files.known.waiters
        }
        for waiter in waiters { waiter(()) }
    }
}
