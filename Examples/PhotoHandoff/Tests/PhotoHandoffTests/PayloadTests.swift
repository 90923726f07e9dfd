// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PhotoHandoff

/// Checks of the received payload. `TwoDevicesTests` shows the transfer, and `PortedAppTests` between real daemons.
@Suite struct PayloadTests {
    @Test func implausiblePayloadIsRejected() {
        var payload = EditPayload(try! Edit(name: "Hills.ppm", file: Picture.sample.ppm))
        #expect(payload.isSensible)
        payload.filter.contrast = 1000
        #expect(!payload.isSensible)
        payload.filter.contrast = 0
        for byteCount in [-1, 0, EditPayload.limit + 1] {
            payload.byteCount = byteCount
            #expect(!payload.isSensible)
        }
        payload.byteCount = 1
        payload.version = 2
        #expect(!payload.isSensible)
    }
}
