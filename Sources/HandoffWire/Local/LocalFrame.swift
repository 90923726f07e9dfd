// SPDX-License-Identifier: Apache-2.0

/// Between daemon and client. Local.proto lists the sender of each message.
package struct LocalFrame: Hashable, Sendable {
    /// Bytes for a list's elements in one frame.
    package static let listBytes = Limits.frameBytes - 1024

    /// Not zero: requests an answer, which repeats it in `answer`.
    package var request: UInt64
    /// Not zero: answers this request.
    package var answer: UInt64
    package var message: LocalMessage

    package init(_ message: LocalMessage, request: UInt64 = 0, answer: UInt64 = 0) {
        self.request = request
        self.answer = answer
        self.message = message
    }
}

/// `LocalMessage.permission` in `HandoffCore` says who may send which.
package enum LocalMessage: Hashable, Sendable {
    case hello(LocalHello)
    case welcome(Welcome)
    case failure(Failure)
    /// The hook's result; true without a hook.
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

    /// Of a newer version: answered with `unimplemented` if it requests an answer.
    case unknown
    /// The first value has only the request's kind.
    indirect case unreadable(LocalMessage, Failure)
}

extension Sequence {
    /// Skips elements that do not fit. `reserved`: bytes for the rest.
    package func fitting(reserved: Int = 0, _ list: ([Element]) -> LocalMessage) -> [Element] {
        var room = LocalFrame.listBytes - reserved
        return filter { element in
            // Its own frame is larger than its part of a shared frame.
            guard let bytes = try? LocalFrame(list([element])).encoded().count, bytes <= room else { return false }
            room -= bytes
            return true
        }
    }
}
