// SPDX-License-Identifier: Apache-2.0

import RealDevices
import Testing

/// Whether the stage itself stands.
@Suite(.serialized, .enabled(if: Network.missing == nil, "\(Network.missing ?? "")"))
struct NetworkTests {
    @Test func carriesAPacketUntilTheCableIsPulled() throws {
        try Stage.play { stage in
            let network = try Network(on: stage)
            let laptop = try network.connect("laptop")
            _ = try network.connect("desktop")
            #expect(try RunningProgram.run(laptop + ["ip", "route", "get", "10.77.0.2"]).output.contains("eth0"))
            try network.unplug("laptop")
            #expect(try RunningProgram.run(laptop + ["cat", "/sys/class/net/eth0/carrier"]).output == "0")
            try network.plug("laptop")
            #expect(try RunningProgram.run(laptop + ["cat", "/sys/class/net/eth0/carrier"]).output == "1")
        }
    }
}
