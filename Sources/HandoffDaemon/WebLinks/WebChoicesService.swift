// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

final class WebChoicesService: Feature {
    static let file = "web-choices"

    private let store: any StateStore
    private let log: Logger

    private var choices = WebChoices()
    private var observers: [(WebHost) -> Void] = []

    init(store: any StateStore, log: Logger) {
        self.store = store
        self.log = log
    }

    func start() throws {
        guard let bytes = try store.read(Self.file) else { return }
        do throws(WireError) {
            choices = try WebChoices(encoded: bytes)
        } catch {
            // The user can repeat lost choices; the next rewrites the file.
            log.error("Choices for sites are damaged; ignoring them", metadata: ["file": "\(Self.file)"])
        }
    }

    func stop() {}

    var list: [WebChoice] { choices.list }

    func choose(_ taker: WebTaker?, for host: WebHost) throws(Failure) {
        var changed = choices
        try changed.choose(taker, for: host)
        guard changed != choices else { return }
        // First: a reported choice must survive a crash.
        try store.write(changed.encoded(), to: Self.file)
        choices = changed
        for observer in observers { observer(host) }
    }
}

extension WebChoicesService {
    func choice(for host: WebHost) -> WebTaker? { choices[host] }

    func onChange(_ observer: @escaping (WebHost) -> Void) { observers.append(observer) }
}

/// An app or a browser for the pages of exactly that host.
struct WebChoices: Hashable, Sendable {
    static let maximum = 512

    private var takers: [WebHost: WebTaker] = [:]

    init() {}

    subscript(host: WebHost) -> WebTaker? { takers[host] }

    var list: [WebChoice] { takers.map { WebChoice($0.key, $0.value) }.sorted { $0.host < $1.host } }

    mutating func choose(_ taker: WebTaker?, for host: WebHost) throws(Failure) {
        guard taker == nil || takers[host] != nil || takers.count < Self.maximum else {
            throw Failure(.limitReached, "there are already choices for \(Self.maximum) sites; clear one first")
        }
        takers[host] = taker
    }
}

/// After a heading, each line is `HOST browser` or `HOST app BUNDLE`.
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

final class WebChoiceRequestHandler: LocalMessageHandler {
    private let choices: WebChoicesService
    private let launching: LaunchingService

    init(choices: WebChoicesService, launching: LaunchingService) {
        self.choices = choices
        self.launching = launching
    }

    func handle(_ message: LocalMessage.WebChoices, from client: any Client, reply: @escaping ClientReply) {
        do throws(Failure) {
            switch message {
            case .listWebChoices: break
            case .chooseForHost(let host, let taker): try choose(taker, for: host)
            case .webChoices: throw .notForTheDaemon
            }
            reply(.webChoices(.webChoices(choices.list)))
        } catch {
            reply(.failure(error))
        }
    }

    private func choose(_ taker: WebTaker?, for host: WebHost) throws(Failure) {
        if case .app(let bundle) = taker {
            let resolution = launching.resolve(pageOf: host, wish: Resolution.Wish(app: bundle))
            if case .nothing(let why) = resolution.target { throw Failure(.notAllowed, why) }
        }
        try choices.choose(taker, for: host)
    }
}
