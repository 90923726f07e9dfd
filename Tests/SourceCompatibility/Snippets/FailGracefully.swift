// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp

final class GracefulReader: HandoffApplicationDelegate {
    var status = ""
    let lastPage = 412

    func application(
        _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        guard userActivityType == "com.example.reader.reading" else { return false }
        status = "Continuing..."
        return true
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        switch (error as? CocoaError)?.code {
        case .userCancelled: status = ""
        case .userActivityConnectionUnavailable: status = "The other device cannot be reached."
        case .userActivityRemoteApplicationTimedOut: status = "The other device did not answer in time."
        case .userActivityHandoffUserInfoTooLarge: status = "There is too much to bring over."
        default: status = "It could not be continued: \(error.localizedDescription)"
        }
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        guard let page = userActivity.userInfo?["page"] as? Int, (1...lastPage).contains(page) else { return false }
        status = "Page \(page)"
        return true
    }
}
