// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct FirstRun {
    package enum Step: Hashable, Sendable {
        case welcome(Failure?)
        case creating
        /// Shown once. `isMistyped`: the confirmation is not the end of the key.
        case key(String, isMistyped: Bool)
        case inviting
        case joining
        case recovering
        case over
    }

    package private(set) var step = Step.welcome(nil)

    init() {}

    mutating func choseFirstDevice() -> LocalMessage? {
        guard case .welcome = step else { return nil }
        step = .creating
        return .identity(.createAccount)
    }

    package mutating func choseToJoin() { if case .welcome = step { step = .joining } }
    package mutating func choseToRecover() { if case .welcome = step { step = .recovering } }
    package mutating func wentBack() { if step == .joining || step == .recovering { step = .welcome(nil) } }

    mutating func heard(_ answer: Result<LocalMessage, Failure>) {
        guard step == .creating else { return }
        switch answer {
        case .success(.identity(.account(let account))):
            step = account.recoveryKey.map { .key($0, isMistyped: false) } ?? .over
        case .success:
            step = .welcome(Failure(.malformed, "the daemon sent an unexpected answer; its version may differ"))
        case .failure(let failure): step = .welcome(failure)
        }
    }

    /// The typed end proves that the user has written the key down or copied it.
    package mutating func confirmed(_ typed: String) {
        guard case .key(let key, _) = step else { return }
        let end = Self.plain(key.split(separator: "-").last ?? "")
        step = Self.plain(typed[...]).hasSuffix(end) ? .inviting : .key(key, isMistyped: true)
    }

    package mutating func finished() { step = .over }

    /// Ignores case, dashes and blanks, and treats 0, 1, 8 as O, I, B, as elsewhere.
    private static func plain(_ text: Substring) -> String {
        let alike: [Character: Character] = ["0": "O", "1": "I", "8": "B"]
        return String(text.uppercased().filter { $0.isLetter || $0.isNumber }.map { alike[$0] ?? $0 })
    }
}
