// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffNet

/// A complete path: app, daemon, TLS, daemon, app. The far daemon dialled.
struct StreamPath {
    let near: StreamFixture
    let far: StreamFixture
    let nearApp: AppEnd
    let farApp: AppEnd

    static func hello() -> StreamHello {
        var random = Randomness.system
        return StreamHello(
            token: .random(using: &random), activity: .random(using: &random), continuation: .random(using: &random))
    }

    static func desks(confirms: Bool = true) async throws -> (near: StreamFixture, far: StreamFixture) {
        let keys = (near: DeviceKey(), far: DeviceKey())
        return (
            try await StreamFixture(key: keys.near, members: [keys.far], confirms: confirms),
            try await StreamFixture(key: keys.far, members: [keys.near], confirms: confirms)
        )
    }

    /// Both ends were answered, and the events so far were consumed.
    static func open(confirms: Bool = true) async throws -> StreamPath {
        let desks = try await desks(confirms: confirms)
        let hello = hello()
        let nearApp = try await AppEnd.attach(hello.token, to: desks.near)
        let farApp = try await AppEnd.attach(hello.token, to: desks.far)
        desks.far.dial(desks.near, hello)
        for app in [nearApp, farApp] {
            #expect(try await app.answer() == LocalFrame(.done(accepted: true), answer: 7))
        }
        #expect(await desks.near.next(where: { $0 == .offered(hello, by: desks.far.device) }) != nil)
        #expect(await desks.far.next(where: { $0 == .dialled }) != nil)
        return StreamPath(near: desks.near, far: desks.far, nearApp: nearApp, farApp: farApp)
    }

    func stop() {
        near.stop()
        far.stop()
    }

    func expectClosedInOrder() async {
        for fixture in [near, far] { await fixture.expectClosed(nil) }
    }
}

extension StreamFixture {
    /// Both links, in either order. Skips earlier events.
    func expectClosed(_ code: Failure.Code?, _ place: SourceLocation = #_sourceLocation) async {
        var sides: [StreamParty] = []
        while sides.count < 2, case .closed(let side, let failure)? = await next(where: \.isClosed) {
            #expect(failure?.code == code, sourceLocation: place)
            sides.append(side)
        }
        #expect(Set(sides) == [.app, .device], sourceLocation: place)
    }
}

extension StreamFixture.Event {
    var isClosed: Bool { if case .closed = self { true } else { false } }
    var isBytesEnded: Bool { if case .bytesEnded = self { true } else { false } }
}
