// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffSystem

/// GNOME Maps stores its point in its settings, a second after a change.
final class FollowedMap: FollowedProgram {
    static let object = (path: "/org/gnome/Maps", interface: "org.freedesktop.Application")
    /// Between two looks at the settings: any program of the user can send the signal.
    static let spacing = Duration.milliseconds(500)
    /// For `gsettings`, which reads a file of the user's.
    static let answerTime = Duration.seconds(2)
    static let answerBytes = 1 << 10

    var changed: (OfferStateMachine.Shown?, OfferStateMachine.Standing) -> Void = { _, _ in }
    var moved: () -> Void = {}

    private let tools: FollowTools
    private var slot: BusSlot?
    private var isDue = true
    private var pause: LoopWatch?

    init(_ tools: FollowTools) throws(BusFailure) {
        self.tools = tools
        slot = try tools.bus.onSignal("ca.desrt.dconf.Writer", "Notify", "sass", path: "/ca/desrt/dconf/Writer/user") {
            [unowned self] message in
            guard message[0]?.text?.hasPrefix("/org/gnome/maps/") ?? false else { return }
            isDue = true
            look()
        }
        look()
    }

    private func look() {
        guard isDue, pause == nil else { return }
        isDue = false
        pause = tools.loop.after(Self.spacing) { [unowned self] in
            pause = nil
            look()
        }
        read { [weak self] point in
            self?.changed(point.map { .init(source: .point($0), title: $0.title) }, .open)
        }
    }

    func state(then: @escaping (ProgramState?) -> Void) {
        read { then($0.map { ProgramState(source: .point($0)) }) }
    }

    private func read(then: @escaping (MapPoint?) -> Void) {
        let read = { @Sendable [environment = tools.environment] in
            SpawnedProcess.output(
                of: "gsettings", ["get", "org.gnome.Maps", "last-viewed-location"], environment: environment,
                limit: Self.answerBytes, within: Self.answerTime
            ).flatMap { Self.point(in: String(decoding: $0, as: UTF8.self)) }
        }
        tools.offLoop.run(read, then: then)
    }

    /// `answer`: "[52.520000000000003, 13.4]". Nil for the place that Maps has before its user opens one.
    static func point(in answer: String) -> MapPoint? {
        let numbers = answer.split { "[], \n".contains($0) }.compactMap { Double($0) }
        guard numbers.count == 2, numbers != [0, 0] else { return nil }
        return MapPoint(latitude: numbers[0], longitude: numbers[1])
    }
}
