// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The user's choice of an app or a browser for the pages of a host. A choice is valid for exactly that host.
struct WebChoices: Hashable, Sendable {
    static let maximum = 512

    private var takers: [WebHost: WebTaker] = [:]

    init() {}

    subscript(host: WebHost) -> WebTaker? { takers[host] }

    var list: [WebChoice] { takers.map { WebChoice($0.key, $0.value) }.sorted { $0.host < $1.host } }

    /// Nil removes the choice.
    mutating func choose(_ taker: WebTaker?, for host: WebHost) throws(Failure) {
        guard taker == nil || takers[host] != nil || takers.count < Self.maximum else {
            throw Failure(.limitReached, "there are already choices for \(Self.maximum) sites; clear one first")
        }
        takers[host] = taker
    }
}

/// The file starts with a line that names the format. Each further line is a choice, `HOST browser` or `HOST app
/// BUNDLE`.
extension WebChoices {
    private static let heading = "handoff-web-choices 1"

    func encoded() -> [UInt8] {
        let lines = list.map { choice in
            switch choice.taker {
            case .browser: "\(choice.host) browser"
            case .app(let bundle): "\(choice.host) app \(bundle)"
            }
        }
        return Array(([Self.heading] + lines).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
    }

    init(encoded bytes: [UInt8]) throws(WireError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw WireError(.malformed, "the choices are not text")
        }
        let lines = text.split(separator: "\n")
        guard lines.first.map(String.init) == Self.heading else { throw WireError(.malformed, "not choices") }
        guard lines.count <= 1 + Self.maximum else { throw WireError(.limitReached, "too many choices") }
        for line in lines.dropFirst() {
            let words = line.split(separator: " ").map(String.init)
            guard let host = words.first.map({ $0 }) else {
                throw WireError(.malformed, "a choice must begin with a host")
            }
            takers[try WebHost(wire: host)] = try Self.taker(words.dropFirst())
        }
    }

    private static func taker(_ words: ArraySlice<String>) throws(WireError) -> WebTaker {
        if words.elementsEqual(["browser"]) { return .browser }
        guard words.count == 2, words.first == "app", let bundle = words.last else {
            throw WireError(.malformed, "a choice must be a browser or an app")
        }
        return .app(try BundleID(bundle))
    }
}
