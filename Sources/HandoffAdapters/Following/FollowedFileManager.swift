// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

/// Offers the last entered folder, because GNOME Files does not report which window is in front.
final class FollowedFileManager: FollowedProgram {
    static let interface = "org.freedesktop.FileManager1"
    static let path = "/org/freedesktop/FileManager1"
    private static let property = "OpenLocations"

    var changed: (OfferStateMachine.Shown?, OfferStateMachine.Standing) -> Void = { _, _ in }
    var moved: () -> Void = {}

    private let source: ExaminedSource
    private var slot: BusSlot?
    private var locations: [String] = []
    private var shown: String?

    init(_ name: InstanceName, _ tools: FollowTools) throws(BusFailure) {
        source = ExaminedSource(tools)
        slot = try tools.bus.onPropertiesChanged(of: Self.interface, from: name.text, path: Self.path) {
            [unowned self] changed in
            if let locations = changed.values[Self.property]?.strings { take(locations) }
        }
        let question = BusCall.property(Self.property, of: Self.interface, at: Self.path, on: name.text)
        tools.bus.call(question, within: BusPrograms.answerTime) { [weak self] result in
            if case .success(let answer) = result, let locations = answer[0]?.strings { self?.take(locations) }
        }
    }

    private func take(_ new: [String]) {
        let entered = new.first { !locations.contains($0) }
        locations = new
        if let entered {
            shown = entered
        } else if !(shown.map(new.contains) ?? false) {
            shown = new.last
        }
        let opened = shown.flatMap(OpenSource.init(folderURL:))
        source.open(opened) { [weak self] in self?.changed($0, .open) }
    }

    func state(then: @escaping (ProgramState?) -> Void) {
        source.examine { then($0.map { ProgramState(source: $0) }) }
    }
}
