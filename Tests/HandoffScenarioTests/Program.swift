// SPDX-License-Identifier: Apache-2.0

import HandoffWire

/// Carries frames between a program and its daemon.
protocol Carrier: AnyObject {
    func send(_ frame: LocalFrame) throws
    /// The next frame of the daemon. Throws after a generous timeout.
    func next() async throws -> LocalFrame
}

/// An app or the command line, driven by the scenario.
final class Program {
    private let carrier: any Carrier
    private var lastRequest: UInt64 = 100
    /// The names of unsolicited messages from the daemon, in order.
    private(set) var asked: [String] = []

    init(_ carrier: any Carrier) { self.carrier = carrier }

    /// Returns the request's number.
    @discardableResult
    func ask(_ message: LocalMessage) throws -> UInt64 {
        lastRequest += 1
        try carrier.send(LocalFrame(message, request: lastRequest))
        return lastRequest
    }

    /// The first answer; throws a failure.
    func answer(to message: LocalMessage) async throws -> LocalMessage {
        let answer = try await hear(answerTo: try ask(message)) { $0 }.what
        if case .failure(let failure) = answer { throw failure }
        return answer
    }

    func answer(_ request: UInt64, _ message: LocalMessage) throws {
        try carrier.send(LocalFrame(message, answer: request))
    }

    /// Waits until `recognized` accepts a message, and skips others. The returned `request` is the number to answer.
    func hear<What>(
        answerTo request: UInt64? = nil, _ recognized: (LocalMessage) -> What?
    ) async throws -> (what: What, request: UInt64) {
        while true {
            let frame = try await carrier.next()
            if frame.answer == 0 { asked.append(Self.name(of: frame.message)) }
            guard request == nil || frame.answer == request, let what = recognized(frame.message) else { continue }
            return (what, frame.request)
        }
    }

    /// "save" for `.advertising(.save(…))`.
    private static func name(of message: LocalMessage) -> String {
        let parts = "\(message)".split(separator: "(")
        return String((parts.dropFirst().first ?? parts[0]).split(separator: ".").last?.prefix(while: \.isLetter) ?? "")
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
