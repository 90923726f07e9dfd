// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff
@testable import HandoffApp

@Suite @MainActor struct SceneWindowTests {
    private let scene = UIWindowScene(
        session: UISceneSession(
            configuration: UISceneConfiguration(name: nil, sessionRole: .windowApplication), lastUsed: Date()),
        connectionOptions: UIScene.ConnectionOptions())

    @Test func windowsHaveTheTitleOfTheirScene() {
        let first = UIWindow(windowScene: scene)
        first.title = "own"
        #expect(scene.title == "")
        scene.title = "Rome"
        #expect(first.title == "Rome")
        scene.subtitle = "12 places"
        #expect(first.title == "Rome – 12 places")
        #expect(UIWindow(windowScene: scene).title == "Rome – 12 places")
        scene.title = nil
        #expect(scene.title == "")
        #expect(first.title == "12 places")
    }

    @Test func windowsReceiveTheSizeLimitsOfTheirScene() {
        let window = SizedWindow(windowScene: scene)
        scene.sizeRestrictions?.minimumSize = CGSize(width: 300, height: 200)
        #expect(window.least == CGSize(width: 300, height: 200))
        scene.sizeRestrictions?.maximumSize = CGSize(width: 600, height: 400)
        #expect(window.greatest == CGSize(width: 600, height: 400))
        let second = SizedWindow()
        second.windowScene = scene
        #expect(second.least == CGSize(width: 300, height: 200))
    }

    @Test func noNotificationOpensAScene() {
        #expect(UIScene.ConnectionOptions().notificationResponse == nil)
    }
}

private final class SizedWindow: UIWindow {
    var least = CGSize.zero
    var greatest = CGSize.zero

    override func sizeRestrictionsChanged(to restrictions: UISceneSizeRestrictions) {
        (least, greatest) = (restrictions.minimumSize, restrictions.maximumSize)
    }
}
