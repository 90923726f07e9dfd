// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffHost

// Shows Y06.
@Suite struct NeighboursTests {
    private static let arp = """
        IP address       HW type     Flags       HW address            Mask     Device
        192.168.1.1      0x1         0x2         9c:c7:a6:00:00:01     *        wlan0
        192.168.1.7      0x1         0x0         00:00:00:00:00:00     *        wlan0

        """
    private static let routes = """
        Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
        wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
        wlan0\t0001A8C0\t00000000\t0001\t0\t0\t600\t00FFFFFF\t0\t0\t0

        """

    @Test func addressWithoutAnAnswerIsMissing() {
        let neighbours = Neighbours(arp: Self.arp, routes: Self.routes)
        #expect(neighbours.isMissing("192.168.1.7"))
        #expect(!neighbours.isMissing("192.168.1.1"))
        #expect(!neighbours.isMissing("10.0.0.1"), "of another network")
        #expect(neighbours.haveGateway)
    }

    @Test(arguments: [nil, "", "\n\n", "x", "a b c\n1 2 0x", "a\tb\n\t\t\t\neth0\t00000000\tXYZ\t"])
    func unknownTablesAreEmpty(text: String?) {
        let neighbours = Neighbours(arp: text, routes: text)
        #expect(!neighbours.haveGateway)
    }

    @Test func configurationOfUFWIsRead() {
        #expect(MachineExamination.isOn(ufw: "# comment\nENABLED=yes\nLOGLEVEL=low\n"))
        #expect(!MachineExamination.isOn(ufw: "ENABLED=no\n"))
        #expect(!MachineExamination.isOn(ufw: nil))
    }
}
