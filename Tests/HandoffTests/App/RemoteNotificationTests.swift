// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff
@testable import HandoffApp

@Suite @MainActor struct RemoteNotificationTests {
    @Test func registrationForRemoteNotificationsFails() async throws {
        let application = UIApplication(
            center: try Laptop(startingDaemon: false, bundle: "com.example.notes").center)
        let delegate = Registering()
        application.delegate = delegate
        application.registerForRemoteNotifications()
        #expect(delegate.failure == nil)
        await mainThreadCaughtUp()
        #expect(delegate.failure?.code == .featureUnsupported)
        #expect(delegate.failure?.localizedDescription == "Remote notifications are not supported on this system.")
        #expect(!application.isRegisteredForRemoteNotifications)
    }
}

private final class Registering: NSObject, UIApplicationDelegate {
    var failure: CocoaError?

    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        failure = error as? CocoaError
    }
}
