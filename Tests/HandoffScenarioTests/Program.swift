// SPDX-License-Identifier: Apache-2.0

import HandoffWire

/// Carries the frames of one program to its daemon and back.
protocol Carrier: AnyObject {
    func send(_ frame: LocalFrame) throws
    /// The next frame of the daemon; throws if none comes within a bound that is wide for any machine.
    func next() async throws -> LocalFrame
}

/// An app, or the command line, driven by the scenario.
final class Program {
    private let carrier: any Carrier
    private var lastRequest: UInt64 = 100
    /// What the daemon said of its own accord, by the names of the messages, in order.
    private(set) var asked: [String] = []

    init(_ carrier: any Carrier) { self.carrier = carrier }

    /// The request's number.
    @discardableResult
    func ask(_ message: LocalMessage) throws -> UInt64 {
        lastRequest += 1
        try carrier.send(LocalFrame(message, request: lastRequest))
        return lastRequest
    }

    /// The first answer; a failure is thrown.
    func answer(to message: LocalMessage) async throws -> LocalMessage {
        let answer = try await hear(answerTo: try ask(message)) { $0 }.what
        if case .failure(let failure) = answer { throw failure }
        return answer
    }

    func answer(_ request: UInt64, _ message: LocalMessage) throws {
        try carrier.send(LocalFrame(message, answer: request))
    }

    /// Listens until `recognized` takes a message, and leaves aside what comes before. `request` is what to answer.
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

    /// Of `.advertising(.save(…))`: save.
    private static func name(of message: LocalMessage) -> String {
        let parts = "\(message)".split(separator: "(")
        return String((parts.dropFirst().first ?? parts[0]).split(separator: ".").last?.prefix(while: \.isLetter) ?? "")
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
