// SPDX-License-Identifier: Apache-2.0

import HandoffBus
internal import HandoffIcons

/// Icons with the emblem of the device's kind, drawn in another process while lists show the plain icons.
final class ComposedIcons {
    /// Returns as `IconDrawer.draw`. Called on threads, one at a time.
    typealias Draw = @Sendable ([IconDrawing]) -> [IconDrawing: DrawnIcon?]?

    /// For lists with large icons, in pixels.
    static let size = 64
    /// For menus, which show it with 16 to 24 pixels.
    static let menuSize = IconDrawing.smallSize

    private var store = IconStore()
    private let draw: Draw
    private let loop: BusLoop
    var changed: () -> Void = {}

    init(draw: @escaping Draw, on loop: BusLoop) {
        self.draw = draw
        self.loop = loop
    }

    subscript(_ drawing: IconDrawing) -> DrawnIcon? { store[drawing] }

    func want(_ drawings: [IconDrawing]) {
        store.want(drawings)
        begin()
    }

    private func begin() {
        guard let batch = store.begin(at: .now) else { return }
        let hasBegun = loop.runOnThread({ [draw] in draw(batch) }, then: { [weak self] in self?.ended($0) })
        if !hasBegun { ended(nil) }
    }

    private func ended(_ results: [IconDrawing: DrawnIcon?]?) {
        if store.ended(results, at: .now) { changed() }
        begin()
    }
}

extension DrawnIcon {
    /// `iiibiiay`, of notifications and of KRunner.
    var busPixels: BusValue {
        let (channels, bits) = (4, 8)
        return .structure([
            .int32(Int32(size)), .int32(Int32(size)), .int32(Int32(channels * size)), .boolean(true),
            .int32(Int32(bits)), .int32(Int32(channels)), .bytes(pixels),
        ])
    }
}
