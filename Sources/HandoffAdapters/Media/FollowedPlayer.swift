// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

/// One running player, by its signals.
final class FollowedPlayer {
    /// The connection drops signals of a program that floods it, so after this number of signals the player is read again.
    static let burst = 8
    static let calm = Duration.milliseconds(1500)

    let program: BundleID
    var changed: (MediaStateMachine.Media?, MediaStateMachine.Playing) -> Void = { _, _ in }
    var moved: () -> Void = {}

    private let name: PlayerName
    private let home: HomeFile
    private let offLoop: OffLoop
    private let loop: BusLoop
    private var signals = 0
    private var reread: LoopWatch?
    private weak var bus: BusConnection?
    private var slots: [BusSlot] = []
    private(set) var report = PlayerReport()
    /// Of `report.source`, once it has been examined.
    private var found: (source: MediaSource, place: ProgramState.Source?)?

    init(_ name: PlayerName, of program: BundleID, home: HomeFile, offLoop: OffLoop, on loop: BusLoop) {
        self.name = name
        self.program = program
        self.home = home
        self.offLoop = offLoop
        self.loop = loop
    }

    func follow(on bus: BusConnection) throws(BusFailure) {
        self.bus = bus
        slots = [
            try bus.onPropertiesChanged(of: PlayerNames.player, from: name.text, path: PlayerNames.path) {
                [unowned self] changed in
                counted()
                apply(changed.values)
                if changed.others.contains("Metadata") { readAll() }
            },
            try bus.onSignal(PlayerNames.player, "Seeked", "x", from: name.text, path: PlayerNames.path) {
                [unowned self] _ in moved()
            },
        ]
        readAll()
    }

    private func counted() {
        signals += 1
        guard signals >= Self.burst, reread == nil else { return }
        reread = loop.after(Self.calm) { [unowned self] in
            (signals, reread) = (0, nil)
            readAll()
        }
    }

    func readAll() {
        let question = BusCall.properties(of: PlayerNames.player, at: PlayerNames.path, on: name.text)
        bus?.call(question, within: MediaAdapter.answerTime) { [weak self] result in
            if case .success(let answer) = result { self?.apply(answer[0]?.properties ?? [:]) }
        }
    }

    private func apply(_ properties: [String: BusValue]) {
        report.apply(properties)
        // Celluloid reports a seek only as a change of its status.
        if properties["PlaybackStatus"] != nil || properties["Rate"] != nil { moved() }
        guard let source = report.source else { return tell(nil) }
        if let found, found.source == source { return tell(found.place) }
        switch source {
        case .page(let url):
            found = (source, .page(url))
            tell(.page(url))
        case .file(let path):
            tell(nil)
            offLoop.run({ [home] in home.source(of: path) }) { [weak self] place in
                guard let self, report.source == source else { return }
                found = (source, place)
                tell(place)
            }
        }
    }

    private func tell(_ place: ProgramState.Source?) {
        changed(place.map { MediaStateMachine.Media(source: $0, title: report.title) }, report.playing)
    }

    // MARK: Questions

    /// Seconds. Nil for a stream, and if the player does not answer.
    func position(then: @escaping (Double?) -> Void) {
        guard let bus else { return then(nil) }
        let question = BusCall.property("Position", of: PlayerNames.player, at: PlayerNames.path, on: name.text)
        bus.call(question, within: MediaAdapter.answerTime) { [weak self] result in
            guard case .success(let answer) = result, let position = answer[0]?.integer else { return then(nil) }
            then(self?.report.seconds(at: position))
        }
    }

    /// `seconds`: at most `ProgramState.maximumSeconds`. Calls `then` once the player has answered.
    func move(to seconds: Double, then: @escaping () -> Void) {
        guard let bus, let track = report.track?.text else { return then() }
        let position = Int64((seconds * 1e6).rounded())
        let call = BusCall(
            name.text, PlayerNames.path, PlayerNames.player, "SetPosition", [.objectPath(track), .int64(position)],
            mayStart: false)
        bus.call(call, within: MediaAdapter.answerTime) { _ in then() }
    }

    func pause() { bus?.tell(BusCall(name.text, PlayerNames.path, PlayerNames.player, "Pause", mayStart: false)) }
}
