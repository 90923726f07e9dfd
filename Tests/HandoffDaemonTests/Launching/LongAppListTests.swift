// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// More apps with the maximum number of types than fit into a frame. Shows X08.
@Suite struct LongAppListTests {
    /// Two digits, so that the names sort like the numbers.
    private static func app(_ number: Int) throws -> InstalledApp {
        let types = try (0..<256).map { type in
            try ActivityType("com.example.\(String(repeating: "a", count: 230)).\(number).\(type)")
        }
        return DeviceFixture.app("app\(number)", types: Set(types))
    }

    @Test func listOfAppsIsOneFrameAndHasThoseThatRun() throws {
        let apps = try (10..<50).map(Self.app)
        let fixture = try DeviceFixture("laptop", apps: apps)
        _ = fixture.run(apps[39])
        guard case .launching(.appList(let list, _))? = fixture.answer(fixture.script(), .launching(.listApps)) else {
            Issue.record("no list")
            return
        }
        #expect(list.first?.bundle == apps[0].bundle)
        #expect(list.last?.bundle == apps[39].bundle)
        #expect(list.filter(\.isRunning).map(\.bundle) == [apps[39].bundle])
        #expect(list.count > 10 && list.count < apps.count)
        let body = try LocalFrame(.launching(.appList(list)), request: .max, answer: .max).encoded()
        #expect(body.count <= Limits.frameBytes)
        // Another app would not have fitted.
        #expect(body.count + body.count / list.count > LocalFrame.listBytes)
    }
}
