// SPDX-License-Identifier: Apache-2.0

import Testing

/// One scenario on every transport: real sockets must behave like memory.
@Suite(.timeLimit(.minutes(2))) struct ScenarioTests {
    // Shows B08, D03, E04
    @Test(arguments: Transport.allCases)
    func anActivityGoesFromOneDeviceToTheOther(over transport: Transport) async throws {
        let stage = try await transport.stage()
        do {
            try await Scenario(on: stage).play()
        } catch {
            try? await stage.close()
            throw error
        }
        try await stage.close()
    }
}
