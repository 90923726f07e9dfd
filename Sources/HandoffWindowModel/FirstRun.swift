// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct FirstRun {
    package enum Step: Hashable, Sendable {
        case welcome(Failure?)
        case creating
        case key(String)
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
            step = account.recoveryKey.map { .key($0) } ?? .over
        case .success:
            step = .welcome(Failure(.malformed, "the daemon sent an unexpected answer; its version may differ"))
        case .failure(let failure): step = .welcome(failure)
        }
    }

    /// With or without the key, which is then shown again on request.
    package mutating func sawKey() { if case .key = step { step = .inviting } }

    package mutating func finished() { step = .over }
}
