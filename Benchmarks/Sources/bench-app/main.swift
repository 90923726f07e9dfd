// SPDX-License-Identifier: Apache-2.0

// The receiver's app: says when each hook ran.
//   will NANOSECONDS
//   continue NANOSECONDS TITLE

import BenchClock
import Foundation
import Handoff
import HandoffApp

final class Delegate: HandoffApplicationDelegate {
    func application(_ application: HandoffApplication, willContinueUserActivityWithType userActivityType: String)
        -> Bool
    {
        say("will \(monotonicNanoseconds())")
        return true
    }

    func application(
        _ application: HandoffApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        say("continue \(monotonicNanoseconds()) \(userActivity.title ?? "")")
        return true
    }
}

let delegate = Delegate()
HandoffApplication.shared.delegate = delegate
HandoffApplication.shared.run()
