// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffStrings
import HandoffSystem
import HandoffWire

/// The notification about a file of another device: a question, its progress, or why it was not fetched.
final class FetchNotice {
    struct File {
        let name: String
        let device: String
        let bytes: Int64
    }

    static let fetchAction = "fetch"
    static let cancelAction = "cancel"
    /// For a server to show the question.
    static let showTime = Duration.seconds(4)
    static let answerTime = Duration.seconds(600)

    /// Nil: nothing can ask the user. Called once.
    private var answered: ((Bool?) -> Void)?
    var cancelled: () -> Void = {}

    private let file: File
    private let strings: LocalizedStrings
    private let loop: BusLoop
    private let server = NotificationServer()
    private var id: UInt32?
    /// Sends the notification that the server has not answered yet.
    private var send: (() -> Void)?
    /// Then progress is no longer shown.
    private var isClosed = false
    private var timer: LoopWatch?

    init(_ file: File, _ strings: LocalizedStrings, on bus: BusConnection, _ loop: BusLoop) {
        self.file = file
        self.strings = strings
        self.loop = loop
        server.acted = { [unowned self] id, action, _ in if id == self.id { acted(action) } }
        server.closed = { [unowned self] id in if id == self.id { closed() } }
        server.changed = { [unowned self] in
            if id != nil { closed() }
            send?()
        }
        server.busConnected(bus)
    }

    private func acted(_ action: String) {
        switch action {
        case Self.fetchAction, NotificationServer.defaultAction:
            // Progress is shown in a new one: many servers close it after an action.
            if answered != nil { forget() }
            answer(true)
        case Self.cancelAction:
            close()
            answer(false)
            cancelled()
        default: break
        }
    }

    private func forget() {
        if let id { server.close(id) }
        id = nil
    }

    private func closed() {
        id = nil
        isClosed = true
        answer(false)
    }

    private func answer(_ answer: Bool?) {
        timer = nil
        answered.take()?(answer)
    }

    // MARK: Showing

    /// `answered`: nil if nothing can ask the user.
    func ask(_ answered: @escaping (Bool?) -> Void) {
        self.answered = answered
        timer = loop.after(Self.showTime) { [unowned self] in answer(nil) }
        show { [strings, file] profile in
            guard profile.hasActions else { return nil }
            let label = strings[.fetch]
            var text = strings(.fetchOnly, file.device, Self.size(file.bytes, strings))
            if !profile.hasButtons {
                text += "\n" + strings[profile.click == .middle ? .middleClickToFetch : .clickToFetch]
            }
            return Content(
                summary: strings(.fetchQuestion, file.name), text: text,
                actions: (profile.hasDefault ? [NotificationServer.defaultAction, label] : [])
                    + [Self.fetchAction, label, Self.cancelAction, strings[.cancel]])
        } shown: { [unowned self] in
            guard self.answered != nil else { return close() }
            guard id != nil else { return answer(nil) }
            timer = loop.after(Self.answerTime) { [unowned self] in
                close()
                answer(false)
            }
        }
    }

    /// `bytes`: that have arrived.
    func show(progress bytes: Int64) {
        guard !isClosed, send == nil else { return }
        show { [strings, file] profile in
            let done = strings(.fetched, Self.size(bytes, strings), Self.size(file.bytes, strings), file.device)
            return Content(
                summary: strings(.fetching, file.name), text: done,
                actions: profile.hasActions ? [Self.cancelAction, strings[.cancel]] : [],
                percent: file.bytes > 0 ? Int32(clamping: min(bytes, file.bytes) * 100 / file.bytes) : nil)
        }
    }

    /// `shown` is called once, also without a server.
    func show(_ failure: Failure, shown: @escaping () -> Void) {
        timer = loop.after(Self.showTime) { [unowned self] in
            timer = nil
            shown()
        }
        show { [strings, file] _ in
            Content(
                summary: strings(.notFetched, file.name), text: strings.trouble(failure).text, actions: [],
                isLasting: false)
        } shown: { [unowned self] in
            guard timer.take() != nil else { return }
            shown()
        }
    }

    func close() {
        forget()
        isClosed = true
    }

    private struct Content {
        var summary: String
        var text: String
        var actions: [String]
        var percent: Int32?
        var isLasting = true

        func arguments(replacing id: UInt32?, for profile: ServerProfile) -> [BusValue] {
            var hints: [String: BusValue] = [
                "desktop-entry": .string(NotificationServer.desktopEntry), "category": .string("transfer"),
                "urgency": .byte(1),
            ]
            if let percent {
                hints["value"] = .int32(percent)
                hints["suppress-sound"] = .boolean(true)
                hints["transient"] = .boolean(true)
            }
            let shown = profile.hasBody ? summary : LocalizedStrings.line([summary, text], separator: " – ")
            let body = profile.hasBody ? (profile.hasMarkup ? text.escapedForMarkup : text) : ""
            return NotificationServer.arguments(
                shown, body, actions: actions, hints: hints, replacing: id, isLasting: isLasting)
        }
    }

    /// `shown` is not called without a server.
    private func show(_ content: @escaping (ServerProfile) -> Content?, shown: @escaping () -> Void = {}) {
        let send = { [unowned self] in
            server.show({ [unowned self] profile in
                content(profile)?.arguments(replacing: id, for: profile)
            }) { [weak self] id in
                guard let self else { return }
                self.send = nil
                self.id = id
                shown()
            }
        }
        self.send = send
        send()
    }

    private static func size(_ bytes: Int64, _ strings: LocalizedStrings) -> String {
        let size = bytes.inBytes
        return strings.language.hasDecimalComma ? size.replacing(".", with: ",") : size
    }
}

extension Language {
    fileprivate var hasDecimalComma: Bool { self != .english && self != .chinese }
}
