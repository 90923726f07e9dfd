// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

// Shows Y06, G01.
@Suite struct CheckupTests {
    private var healthy: Observations {
        get throws {
            var status = DaemonStatus()
            status.software = "handoff 1.2.0"
            status.pid = 42
            status.account = AccountID(uncheckedBytes: Array(0..<16))
            status.listening = "[::]:47474"
            status.wasReached = true
            (status.devicesKnown, status.devicesConnected) = (2, 1)
            status.browsers = [DisplayText(cleaning: "Firefox")]
            status.facts = [Fact("presence", .text(DisplayText(cleaning: "here")))].compactMap(\.self)
            var seen = Observations(
                daemon: .running(status), software: "handoff 1.2.0", service: .enabled,
                storage: .init(folder: "/home/a/.local/state/handoff", free: 5_000_000_000))
            seen.history = .works
            seen.interfaces = [.init(name: "eth0", hasMulticast: true, hearsItself: true)]
            seen.firewalls = [.init(name: "nftables", verdict: .allows)]
            seen.devices = [
                .init(name: "desktop", isConnected: true, lastSeen: nil, address: "10.0.0.2:47474", reach: nil)
            ]
            return seen
        }
    }

    /// The findings that differ from those of a healthy device.
    private func findings(_ change: (inout Observations, inout DaemonStatus) -> Void) throws -> [Finding] {
        var seen = try healthy
        guard case .running(var status) = seen.daemon else { return [] }
        change(&seen, &status)
        if case .running = seen.daemon { seen.daemon = .running(status) }
        let usual = try healthy.findings
        return seen.findings.filter { !usual.contains($0) }
    }

    @Test func healthyDevicePassesEachCheckOnce() throws {
        let findings = try healthy.findings
        #expect(findings.allSatisfy { $0.result == .passed && $0.advice == nil })
        let checks = findings.map(\.check)
        #expect(Set(checks).count == checks.count)
        #expect(
            Set(Finding.Check.allCases).subtracting(checks) == [.app, .beacons, .clock, .offer, .recoveryKey, .warning])
    }

    @Test func withoutADaemonOnlyTheMachineIsExamined() throws {
        let findings = try findings { seen, _ in
            seen.daemon = .silent(reason: "no daemon answers", advice: "run: handoffd &")
            seen.devices = []
        }
        #expect(findings == [Finding(.daemon, .failed, "no daemon answers", advice: "run: handoffd &")])
    }

    @Test func historyThatCannotBeSearchedIsNamed() throws {
        let reason = "this system's SQLite cannot search: it has no FTS5"
        let findings = try findings { seen, _ in seen.history = .fails(reason: reason) }
        #expect(findings.map(\.check) == [.history] && findings.first?.seen == reason)
        // Switched off, or locked.
        #expect(try self.findings { seen, _ in seen.history = nil }.isEmpty)
    }

    @Test func tunnelOnTheWayToADeviceIsNamed() throws {
        let findings = try findings { seen, _ in
            (seen.devices[0].isConnected, seen.devices[0].reach) = (false, .silent)
            seen.devices[0].tunnel = "wg0"
        }
        #expect(findings.first?.seen.hasSuffix("does not answer through wg0, a VPN or another tunnel") == true)
    }

    @Test func programThatHasThePortIsNamed() throws {
        let own = try findings { seen, status in seen.portHolder = ("handoffd", status.pid) }
        #expect(own.isEmpty)
        let other = try findings { seen, status in seen.portHolder = ("python3", status.pid + 1) }
        #expect(other.map(\.check) == [.port])
        #expect(other.first?.seen.hasSuffix("has TCP port 47474") == true)
    }

    @Test func otherHostWithTheSameHomeIsNamed() throws {
        let findings = try findings { seen, _ in
            seen.daemon = .onOtherHost("study")
            seen.devices = []
        }
        #expect(findings.map(\.check) == [.daemon])
        #expect(findings.first?.seen == "no daemon answers, because handoffd on the host study uses this state")
    }

    @Test func otherVersionOfTheDaemonIsNamed() throws {
        let findings = try findings { $1.software = "handoff 1.1.0" }
        #expect(findings.map(\.check) == [.version])
        #expect(findings.first?.seen == "handoffd is handoff 1.1.0, but this command is handoff 1.2.0")
    }

    @Test func diskThatIsFullOrReadOnlyIsNamed() throws {
        let full = try findings { seen, _ in seen.storage.free = Observations.leastFree - 1 }
        #expect(full.map(\.seen) == ["/home/a/.local/state/handoff has 67 MB left"])
        let still = try findings { seen, _ in seen.storage.free = Observations.leastFree }
        #expect(still.map(\.result) == [.passed])
        let readOnly = try findings { seen, _ in seen.storage.problem = "Read-only file system" }
        #expect(readOnly.map(\.result) == [.failed])
        #expect(readOnly.first?.seen.hasSuffix(": Read-only file system") == true)
    }

    @Test func missingAccountAndLonelyAccountHaveAdvice() throws {
        for change in [{ $0.account = nil }, { $0.devicesKnown = 1 }] as [(inout DaemonStatus) -> Void] {
            let findings = try findings { change(&$1) }
            #expect(findings.map(\.check) == [.account])
            #expect(findings.first?.result == .failed)
            #expect(findings.first?.advice?.contains("handoff account") == true)
        }
    }

    @Test func deviceThatWasNeverReachedIsReported() throws {
        let onlyOutgoing = try findings { $1.wasReached = false }
        #expect(onlyOutgoing.map(\.result) == [.unknown])
        #expect(onlyOutgoing.first?.seen.hasSuffix("since its start only this device has connected to others") == true)
        let alone = try findings { ($1.wasReached, $1.devicesConnected) = (false, 0) }
        #expect(alone == [Finding(.port, .passed, "handoffd listens at [::]:47474")])
    }

    @Test func wrongClockIsNamed() throws {
        let agreeing = try findings { seen, _ in seen.devices[0].clock = "" }
        #expect(agreeing == [Finding(.clock, .passed, "the clocks of the connected devices agree")])
        let advice = "set the wrong clock, or run on both, as root: timedatectl set-ntp true"
        let ahead = try findings { seen, _ in seen.devices[0].clock = "2 h ahead of" }
        #expect(
            ahead == [Finding(.clock, .failed, "the clock of desktop is 2 h ahead of this device's", advice: advice)])
        let away = try findings { seen, _ in
            (seen.devices[0].isConnected, seen.devices[0].clock) = (false, "1 d 3 h behind")
        }
        #expect(
            away.last
                == Finding(
                    .clock, .failed,
                    "the clock of desktop is 1 d 3 h behind this device's, so its beacons are ignored here",
                    advice: advice))
    }

    @Test func beaconsThatDoNotOpenAreNamed() throws {
        let strangers = try findings { seen, status in
            status.strangers = ["192.0.2.8", "192.0.2.9"]
            seen.devices[0].address = "192.0.2.9:47474"
        }
        #expect(strangers.map(\.result) == [.unknown])
        #expect(strangers.first?.seen.hasPrefix("beacons from 192.0.2.8, 192.0.2.9 do not open here") == true)
        let missing = try findings { seen, status in
            status.strangers = ["192.0.2.8", "192.0.2.9"]
            seen.devices[0].isConnected = false
            seen.devices[0].address = "192.0.2.9:47474"
        }.filter { $0.check == .beacons }
        #expect(missing.map(\.result) == [.failed, .unknown])
        #expect(missing[0].seen.hasPrefix("beacons from 192.0.2.9:47474, the last address of desktop, do not open"))
        #expect(missing[1].seen.hasPrefix("beacons from 192.0.2.8 do not open"))
    }

    // Shows Y07
    @Test func versionOfADeviceAndTheEndOfItsSessionAreNamed() throws {
        let connected = try findings { seen, _ in seen.devices[0].software = "handoff 1.1.0" }
        #expect(connected == [Finding(.device, .passed, "desktop is connected, with handoff 1.1.0")])
        let away = try findings { seen, _ in
            (seen.devices[0].isConnected, seen.devices[0].reach) = (false, .silent)
            seen.devices[0].problem = "the other device went to sleep"
        }
        #expect(away.first?.seen.hasPrefix("desktop is not connected, the other device went to sleep") == true)
    }

    @Test(arguments: [
        (Observations.Reach.answers, "although something answers"), (.refuses, "no program listens there"),
        (.notOnLink(gateway: true), "although the router answers"),
        (.notOnLink(gateway: false), "the router does not answer either"), (.silent, "does not answer"),
        (.noRoute, "no way to"),
    ])
    func deviceThatIsAwayHasTheReasonOfItsAddress(reach: Observations.Reach, reason: String) throws {
        let findings = try findings { seen, _ in
            seen.devices[0].isConnected = false
            seen.devices[0].lastSeen = "last connected 2026-11-28 12:00"
            seen.devices[0].reach = reach
        }
        #expect(findings.map(\.check) == [.device])
        #expect(findings.first?.result == .failed)
        let seen = findings.first?.seen ?? ""
        #expect(seen.hasPrefix("desktop is not connected, last connected 2026-11-28 12:00"))
        #expect(seen.contains(reason), "\(seen)")
        #expect(findings.first?.advice != nil)
    }

    @Test func interfacesAreJudgedByTheirEcho() throws {
        let findings = try findings { seen, _ in
            seen.interfaces += [
                .init(name: "wlan0", hasMulticast: true, hearsItself: false),
                .init(name: "wg0", hasMulticast: false, hearsItself: nil),
                .init(name: "eth1", hasMulticast: true, hearsItself: nil),
            ]
        }
        #expect(findings.map(\.result) == [.failed, .unknown, .failed])
        #expect(findings.first?.advice == "allow UDP ports 47474 and 47475, and TCP port 47474")
        let none = try self.findings { seen, _ in seen.interfaces = [] }
        #expect(none.map(\.seen) == ["this machine has no network"])
    }

    @Test func switchedOffOffersAreNamed() throws {
        let findings = try findings {
            $1.policy.off = [
                PolicySwitch(PolicySubject(.advertising), until: nil, isByAdministrator: false),
                PolicySwitch(PolicySubject(.receiving), until: nil, isByAdministrator: true),
            ]
        }
        #expect(
            findings.map(\.seen) == [
                "advertising is switched off on this device",
                "receiving is switched off on this device by its administrator",
            ])
        #expect(findings.map(\.advice) == ["run: handoff policy on", nil])
    }

    @Test(arguments: ["locked", "idle", "elsewhere"])
    func absenceExplainsWhyNothingIsOffered(presence: String) throws {
        let findings = try findings {
            $1.facts = [Fact("presence", .text(DisplayText(cleaning: presence)))].compactMap(\.self)
        }
        #expect(findings.map(\.check) == [.presence])
        #expect(findings.first?.seen.hasSuffix("so activities here are not offered") == true)
    }

    @Test func warningsAndMissingPartsFail() throws {
        let findings = try findings {
            $1.warnings = ["two machines have the key of laptop"]
            $1.missing = [MissingPart("a tray", loss: "no icon")]
        }
        #expect(findings.map(\.seen) == ["a tray is missing: no icon", "two machines have the key of laptop"])
        #expect(findings.allSatisfy { $0.result == .failed })
    }
}
