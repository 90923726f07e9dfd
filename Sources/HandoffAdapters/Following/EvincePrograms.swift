// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffSystem
import HandoffWire

/// One process per document. They have no names on the bus, but broadcast what they have loaded.
final class EvincePrograms: InstanceFinder {
    private let documents: AnnouncedInstances<FollowedEvince>
    private var slots: [BusSlot] = []

    init(_ tools: FinderTools) throws(BusFailure) {
        documents = AnnouncedInstances(tools) { FollowedEvince(tools.following) }
        slots = [
            try tools.bus.onSignal("org.gnome.evince.Window", "DocumentLoaded", "s") { [documents] message in
                guard let url = message[0]?.text else { return }
                documents.announced(by: message.sender) { $0.open(url) }
            },
            // Evince stores the page a second after it was turned. The second text ends the path of the file.
            try tools.bus.onSignal("org.gtk.vfs.Metadata", "AttributeChanged", "ss", path: "/org/gtk/vfs/metadata") {
                [documents] message in
                guard let path = message[1]?.text else { return }
                for document in documents.all where document.isStored(as: path) { document.moved() }
            },
        ]
    }
}

final class FollowedEvince: FollowedProgram {
    /// For `gio`, which reads a file of the user's.
    static let answerTime = Duration.seconds(2)
    static let answerBytes = 16 << 10

    var changed: (OfferStateMachine.Shown?, OfferStateMachine.Standing) -> Void = { _, _ in }
    var moved: () -> Void = {}

    private let tools: FollowTools
    private let source: ExaminedSource
    private var file: AbsolutePath?

    init(_ tools: FollowTools) {
        self.tools = tools
        source = ExaminedSource(tools)
    }

    func open(_ url: String) {
        let opened = OpenSource(url: url)
        if case .file(let path)? = opened { file = path } else { file = nil }
        source.open(opened) { [weak self] in self?.changed($0, .open) }
    }

    func isStored(as path: String) -> Bool { file.map { $0.description.hasSuffix(path) } ?? false }

    func state(then: @escaping (ProgramState?) -> Void) {
        guard let file else { return then(nil) }
        tools.offLoop.run({ [environment = tools.environment] in Self.page(of: file, environment) }) {
            [weak self] page in
            guard let self else { return then(nil) }
            source.examine { then($0.map { ProgramState(source: $0, place: page.map(ProgramState.Place.page)) }) }
        }
    }

    /// Blocks. From 1. Nil: Evince has not stored one.
    private static func page(of file: AbsolutePath, _ environment: [String: String]) -> Int? {
        SpawnedProcess.output(
            of: "gio", ["info", "-a", attribute, file.description], environment: environment, limit: answerBytes,
            within: answerTime
        ).flatMap { page(in: String(decoding: $0, as: UTF8.self)) }
    }

    private static let attribute = "metadata::evince::page"

    /// `answer`: of `gio info`. Evince's first page is 0.
    static func page(in answer: String) -> Int? {
        answer.split(separator: "\n").lazy.compactMap { line in
            let words = line.split(separator: " ")
            return words.count == 2 && words[0] == "\(attribute):" ? Int(words[1]) : nil
        }.first.flatMap { $0 >= 0 && $0 < ProgramState.maximumNumber ? $0 + 1 : nil }
    }
}
