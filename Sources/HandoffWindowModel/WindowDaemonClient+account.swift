// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffStrings
package import HandoffWire

extension WindowDaemonClient {
    // MARK: The recovery key

    package var recoveryKey: RecoveryKeyState { status?.recoveryKey ?? .confirmed }
    package var isOnlyDevice: Bool { devices.count < 2 }

    package func showKey(then: @escaping @MainActor (String) -> Void) { askForKey(.showRecoveryKey, then) }

    /// The account has other devices only if the user has agreed.
    package func replaceKey(evenWithOthers: Bool, then: @escaping @MainActor (String) -> Void) {
        askForKey(.newRecoveryKey(evenWithOthers: evenWithOthers), then)
    }

    private func askForKey(_ message: LocalMessage.Identity, _ then: @escaping @MainActor (String) -> Void) {
        link.request(.identity(message)) { [weak self] answer in
            guard let self else { return }
            if case .success(.identity(.account(let account))) = answer, let key = account.recoveryKey { then(key) }
            if case .failure(let failure) = answer { said(explain(failure).text) }
            refreshStatus()
        }
    }

    /// The user has this key. Another program may have replaced it since it was shown.
    package func confirmKey(_ key: String) {
        askForKey(.showRecoveryKey) { [weak self] current in
            guard let self else { return }
            guard current == key else {
                return said(explain(Failure(.wrongKey, "the key was replaced since it was shown")).text)
            }
            ask(.identity(.confirmRecoveryKey))
            refreshStatus()
        }
    }

    // MARK: Leaving

    /// Also after this device was removed. For a member, the user has confirmed it, because it is permanent.
    package func leaveAccount() {
        ask(.identity(.leaveAccount(evenAsMember: true)))
        refreshStatus()
    }

    package var removalHeading: String? {
        switch status?.membershipEnd {
        case .removed(let by)?: strings(.removedHeading, by.text)
        case .left?, .dropped?: strings[.droppedHeading]
        case nil: nil
        }
    }
}
