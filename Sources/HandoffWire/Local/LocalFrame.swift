// SPDX-License-Identifier: Apache-2.0

/// A frame between the daemon and an app or control client. Local.proto says who sends which.
package struct LocalFrame: Hashable, Sendable {
    /// What the elements of a list take at most, bytes, so that the list is one frame.
    package static let listBytes = Limits.frameBytes - 1024

    /// Not zero: asks for an answer, which repeats this number in `answer`.
    package var request: UInt64
    /// Not zero: answers the request of that number.
    package var answer: UInt64
    package var message: LocalMessage

    package init(_ message: LocalMessage, request: UInt64 = 0, answer: UInt64 = 0) {
        self.request = request
        self.answer = answer
        self.message = message
    }
}

/// What is said on the daemon's socket, by the feature whose word it is. Who may say what to the daemon is one table:
/// `LocalMessage.permission` in `HandoffCore`.
package enum LocalMessage: Hashable, Sendable {
    case hello(LocalHello)
    case welcome(Welcome)
    case failure(Failure)
    /// `accepted`: what the called hook returned; true where there is no hook.
    case done(accepted: Bool)

    case advertising(Advertising)
    case continuation(Continuation)
    case documents(Documents)
    case identity(Identity)
    case launching(Launching)
    case policy(Policy)
    case presence(Presence)
    case sending(Sending)
    case status(Status)
    case streams(Streams)
    case teams(Teams)
    case webChoices(WebChoices)
    case webLinks(WebLinks)

    /// A message of a newer version: answered with `unimplemented` if it asks for an answer.
    case unknown
    /// A request whose content cannot be read. The first is a message of its kind, and nothing more of it.
    indirect case unreadable(LocalMessage, Failure)
}

extension Sequence {
    /// The first that fit into one list, which is one frame; what is too long by itself is passed over. `reserved`: bytes that
    /// the rest of the frame takes.
    package func fitting(reserved: Int = 0, _ list: ([Element]) -> LocalMessage) -> [Element] {
        var room = LocalFrame.listBytes - reserved
        return filter { element in
            // With a frame of its own around it, which is more than its part of the common one.
            guard let bytes = try? LocalFrame(list([element])).encoded().count, bytes <= room else { return false }
            room -= bytes
            return true
        }
    }
}
