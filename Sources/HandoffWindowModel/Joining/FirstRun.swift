// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What a person sees who has no account: from nothing to two devices.
package struct FirstRun {
    package enum Step: Hashable, Sendable {
        /// `trouble`: the account could not be made.
        case welcome(Failure?)
        case creating
        /// The key is shown, once. `isMistyped`: what was typed to show that it was written down is not its end.
        case key(String, isMistyped: Bool)
        /// A second device is invited.
        case inviting
        case joining
        case recovering
        /// On to the window.
        case over
    }

    package private(set) var step = Step.welcome(nil)

    package init() {}

    package mutating func choseFirstDevice() -> LocalMessage? {
        guard case .welcome = step else { return nil }
        step = .creating
        return .identity(.createAccount)
    }

    package mutating func choseToJoin() { if case .welcome = step { step = .joining } }
    package mutating func choseToRecover() { if case .welcome = step { step = .recovering } }
    package mutating func wentBack() { if step == .joining || step == .recovering { step = .welcome(nil) } }

    package mutating func heard(_ answer: Result<LocalMessage, Failure>) {
        guard step == .creating else { return }
        switch answer {
        case .success(.identity(.account(let account))):
            step = account.recoveryKey.map { .key($0, isMistyped: false) } ?? .over
        case .success: step = .welcome(Failure(.malformed, "the daemon gave an answer that this window does not know"))
        case .failure(let failure): step = .welcome(failure)
        }
    }

    /// The end of the key, as a person types it: who has it before their eyes has written it down, or copied it.
    package mutating func confirmed(_ typed: String) {
        guard case .key(let key, _) = step else { return }
        let end = Self.plain(key.split(separator: "-").last ?? "")
        step = Self.plain(typed[...]).hasSuffix(end) ? .inviting : .key(key, isMistyped: true)
    }

    package mutating func finished() { step = .over }

    /// As the key is read elsewhere too: without case, dashes and blanks, and 0, 1, 8 for O, I, B.
    private static func plain(_ text: Substring) -> String {
        let alike: [Character: Character] = ["0": "O", "1": "I", "8": "B"]
        return String(text.uppercased().filter { $0.isLetter || $0.isNumber }.map { alike[$0] ?? $0 })
    }
}
