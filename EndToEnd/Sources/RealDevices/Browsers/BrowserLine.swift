// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Requests to a browser, in the form that Chromium's DevTools and WebDriver BiDi share.
final class BrowserLine {
    private let socket: WebSocket
    private var last = 0

    /// `address`: `ws://127.0.0.1:PORT/PATH`, as browsers print it on that device.
    init(_ address: String, on device: Device) throws {
        guard let url = URL(string: address), let port = url.port else { throw Unmet("no address: \(address)") }
        socket = try WebSocket(port: UInt16(port), path: url.path, in: device.space)
    }

    /// `session`: of a tab, with DevTools.
    @discardableResult
    func ask(_ method: String, _ parameters: JSON = [:], session: String? = nil) throws -> JSON {
        last += 1
        var question: [String: JSON] = [
            "id": .number(Double(last)), "method": .string(method), "params": parameters,
        ]
        if let session { question["sessionId"] = .string(session) }
        try socket.send(try JSON.object(question).text())
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let answer = try JSON(text: try socket.receive(until: deadline))
            // Events in between are skipped.
            guard answer["id"]?.number == Double(last) else { continue }
            if let error = answer["error"] { throw Unmet("\(method): \(error) \(answer["message"]?.string ?? "")") }
            return answer["result"] ?? .null
        }
    }
}

extension JSON: Encodable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByArrayLiteral, ExpressibleByIntegerLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .number(Double(value)) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { $1 })
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        // Whole numbers without a decimal point, because an identifier with one is invalid.
        case .number(let value):
            if let whole = Int(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }

    package func text() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
}
