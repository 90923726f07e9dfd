// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// Exits of a program that uses the libraries, with their messages: each in its own process.
@Suite struct ProgramEndTests {
    // Shows A15.
    @Test func otherSchemeEndsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            NSUserActivity(activityType: "com.example.a").webpageURL = URL(string: "file:///etc/passwd")
        }
    }

    @Test func emptyTypeEndsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = NSUserActivity(activityType: "") }
    }

    @Test func typeOverTheLimitEndsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = NSUserActivity(activityType: String(repeating: "a", count: 256))
        }
    }

    /// Shows A02.
    @Test func defaultWithoutADeclaredTypeEndsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = NSUserActivity(declaredBy: nil, center: .shared)
        }
    }

    /// Shows A07.
    @Test func wrongTypeEndsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            NSUserActivity(activityType: "com.example.a").userInfo = ["value": NSObject()]
        }
    }

    private class Letter: NSDocument {
        let line: Int
        init(line: Int) {
            self.line = line
            super.init()
        }
    }

    /// A class in an Info.plist without an `init()` cannot be instantiated; Swift's own message names it.
    @Test func documentClassWithoutAnInitializerToCallEndsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = NewObject.of(Letter.self) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("unimplemented initializer 'init()' for class"))
        #expect(text.contains("Letter"))
    }

    private final class Silent: HandoffApplicationDelegate {}

    /// Shows H06.
    @Test func failureWithoutAHookIsShown() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let silent = Silent()
                let shared = HandoffApplication.shared
                silent.application(
                    shared, didFailToContinueUserActivityWithType: "com.example.a",
                    error: Failure(.deviceLost, "the other device is gone").cocoaError)
                silent.application(
                    shared, didFailToContinueUserActivityWithType: "com.example.a",
                    error: Failure(.cancelled, "cancelled").cocoaError)
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("The activity could not be continued: the other device is gone.\n"))
        #expect(!text.contains("cancelled"))
    }
}
