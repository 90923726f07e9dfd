// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

final class FollowedPlayer: FollowedProgram {
    /// The connection drops signals of a flood, so after this number of signals the player is read again.
    static let burst = 8
    static let calm = Duration.milliseconds(1500)

    static let interface = "org.mpris.MediaPlayer2.Player"
    static let path = "/org/mpris/MediaPlayer2"

    var changed: (OfferStateMachine.Shown?, OfferStateMachine.Standing) -> Void = { _, _ in }
    var moved: () -> Void = {}

    private let name: InstanceName
    private let tools: FollowTools
    private var signals = 0
    private var reread: LoopWatch?
    private var slots: [BusSlot] = []
    private(set) var report = PlayerReport()
    private let source: ExaminedSource

    init(_ name: InstanceName, _ tools: FollowTools) throws(BusFailure) {
        self.name = name
        self.tools = tools
        source = ExaminedSource(tools)
        slots = [
            try tools.bus.onPropertiesChanged(of: Self.interface, from: name.text, path: Self.path) {
                [unowned self] changed in
                counted()
                // Celluloid reports a seek as a change of its status.
                if changed.values["PlaybackStatus"] != nil || changed.values["Rate"] != nil { moved() }
                apply(changed.values)
                if changed.others.contains("Metadata") { readAll() }
            },
            try tools.bus.onSignal(Self.interface, "Seeked", "x", from: name.text, path: Self.path) {
                [unowned self] _ in moved()
            },
        ]
        readAll()
    }

    private func counted() {
        signals += 1
        guard signals >= Self.burst, reread == nil else { return }
        reread = tools.loop.after(Self.calm) { [unowned self] in
            (signals, reread) = (0, nil)
            readAll()
        }
    }

    /// Microseconds.
    private func readAll(then: @escaping (Int64?) -> Void = { _ in }) {
        let question = BusCall.properties(of: Self.interface, at: Self.path, on: name.text)
        tools.bus.call(question, within: BusPrograms.answerTime) { [weak self] result in
            guard case .success(let answer) = result, let properties = answer[0]?.properties else { return then(nil) }
            self?.apply(properties)
            then(properties["Position"]?.integer)
        }
    }

    private func apply(_ properties: [String: BusValue]) {
        report.apply(properties)
        source.open(report.source) { [weak self] shown in
            guard let self else { return }
            var shown = shown
            shown?.title = report.title
            changed(shown, report.standing)
        }
    }

    // MARK: Questions

    func state(then: @escaping (ProgramState?) -> Void) {
        readAll { [weak self] position in
            guard let self, let source = source.offered else { return then(nil) }
            let seconds = position.flatMap(report.seconds(at:))
            then(
                ProgramState(
                    source: source, place: seconds.map(ProgramState.Place.time), isPlaying: report.standing == .active))
        }
    }

    func wasContinued() { tools.bus.tell(BusCall(name.text, Self.path, Self.interface, "Pause", mayStart: false)) }

    /// `seconds`: at most `ProgramState.maximumSeconds`.
    func move(to seconds: Double) {
        guard let track = report.track?.text else { return }
        let position = Int64((seconds * 1e6).rounded())
        tools.bus.tell(
            BusCall(
                name.text, Self.path, Self.interface, "SetPosition", [.objectPath(track), .int64(position)],
                mayStart: false))
    }
}
