// SPDX-License-Identifier: Apache-2.0

// The receiver's app: says when each hook ran.
//   will NANOSECONDS
//   continue NANOSECONDS TITLE

import BenchClock
import Foundation
import Handoff
import HandoffApp

final class Delegate: ApplicationDelegate {
    func application(_ application: Application, willContinueUserActivityWithType userActivityType: String) -> Bool {
        say("will \(monotonicNanoseconds())")
        return true
    }

    func application(
        _ application: Application, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
    ) -> Bool {
        say("continue \(monotonicNanoseconds()) \(userActivity.title ?? "")")
        return true
    }
}

let delegate = Delegate()
Application.shared.delegate = delegate
Application.shared.run()
