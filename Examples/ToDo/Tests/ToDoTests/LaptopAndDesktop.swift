// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffTestKit

extension HandoffSimulatedAccount {
    /// Two devices, both with the app.
    func laptopAndDesktop<Main>(
        with app: HandoffSimulatedApp<Main>
    ) async throws -> (laptop: HandoffSimulatedDevice, desktop: HandoffSimulatedDevice) {
        let laptop = try await addDevice(named: "laptop")
        let desktop = try await addDevice(named: "desktop")
        try await install(app)
        return (laptop, desktop)
    }
}
