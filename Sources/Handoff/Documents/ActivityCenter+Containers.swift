// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
package import Foundation
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

// Which folders the app shares with itself on the user's other devices: the daemon knows, and is asked when the app wants
// to know.

/// What the daemon said last.
struct KnownContainers: Sendable {
    struct Container: Sendable, Hashable {
        let identifier: String
        let place: FilePlace
    }

    /// In the order of the app's entitlements.
    var containers: [Container] = []
    /// Of the account; nil where there is none.
    var accountToken: [UInt8]?
    /// By the daemon of this connection.
    var isCurrent = false
    /// An answer is on its way.
    var isAsked = false
    /// The app has asked once.
    var isWanted = false
    /// The daemon has answered once, so that another answer is a change.
    var hasBeenTold = false
    /// Who waits for an answer.
    var waiters: [Once<Void>] = []
}

extension ActivityCenter {
    /// The daemon answers within milliseconds; one that does not answers nothing at all.
    static let containerPatience = Duration.seconds(5)

    /// Waits for the daemon where it has not said, so not to be called on the connection's thread. None without a daemon,
    /// and for a program that is no installed app.
    func containers() -> [KnownContainers.Container] {
        waitForContainers()
        return state.withLock { $0.files.known.isCurrent ? $0.files.known.containers : [] }
    }

    func accountToken() -> [UInt8]? {
        waitForContainers()
        return state.withLock { $0.files.known.isCurrent ? $0.files.known.accountToken : nil }
    }

    /// As the daemon said last, also while there is none: folders stay where they are.
    package func isInContainer(_ place: FilePlace) -> Bool {
        if state.withLock({ $0.files.known.containers.isEmpty }) { waitForContainers() }
        return state.withLock { $0.files.known.containers }.contains { place.isWithin($0.place) }
    }

    /// As far as is known now. Where nothing is, the daemon is asked, and the handler is told when it has answered.
    package func isKnownInContainer(_ place: FilePlace) -> Bool {
        knownContainers().contains { place.isWithin($0.place) }
    }

    /// Where the documents of the app's first container lie, as far as is known now.
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
            // While there is no daemon each call would take its time.
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
            // It has no such thing, or none for this app.
            case .success, .failure: self?.have([], nil)
            }
        }
    }

    /// The daemon's answer, or its word that something is different now.
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
        // Where observers expect it.
        DispatchQueue.main.async {
            self.run { NotificationCenter.default.post(name: .NSUbiquityIdentityDidChange, object: nil) }
        }
    }

    /// The connection ended, or there is none: who waits goes without.
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
