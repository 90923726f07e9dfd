// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Asks again until the answer is yes. For what announces itself to nobody; where there is a line to wait for,
/// `Transcript` waits for that.
package func wait(
    _ wanted: String, within bound: Duration = .seconds(10), until isSo: () throws -> Bool
) throws {
    let clock = ContinuousClock()
    let deadline = clock.now + bound
    while try !isSo() {
        guard clock.now < deadline else { throw Unmet("waited \(bound) for \(wanted)") }
        Thread.sleep(forTimeInterval: 0.01)
    }
}
