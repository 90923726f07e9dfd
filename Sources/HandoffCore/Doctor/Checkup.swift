// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension Observations {
    /// In bytes. With less, saving a document, or a database of any program, soon fails.
    package static let leastFree: Int64 = 64 * 1024 * 1024
    /// A smaller difference between two clocks is not reported.
    package static let clockTolerance: Duration = .seconds(60)

    /// Checks precede those that depend on them.
    package var findings: [Finding] {
        var findings = [daemonFinding]
        if case .running(let status) = daemon, let version = version(of: status) { findings.append(version) }
        findings += [service.map(finding), finding(storage), history.map(finding)].compactMap(\.self)
        if case .running(let status) = daemon { findings += [account(status), recoveryKey(status)].compactMap(\.self) }
        findings += network
        guard case .running(let status) = daemon else { return findings }
        findings += devices.map(finding) + clocks + strangers(status) + policy(status) + presence(status)
        findings += status.missing.map { Finding(.desktop, .failed, "\($0.part) is missing: \($0.loss)") }
        if status.missing.isEmpty {
            findings.append(Finding(.desktop, .passed, "the desktop has all that Handoff uses"))
        }
        findings.append(browsers(status))
        return findings + status.warnings.map { Finding(.warning, .failed, $0) }
    }

    // MARK: This device

    private var daemonFinding: Finding {
        switch daemon {
        case .running(let status): Finding(.daemon, .passed, "handoffd runs as process \(status.pid)")
        case .silent(let reason, let advice): Finding(.daemon, .failed, reason, advice: advice)
        case .onOtherHost(let host):
            Finding(
                .daemon, .failed, "no daemon answers, because handoffd on the host \(host) uses this state",
                advice: Advice.leaveStateToOtherHost)
        }
    }

    private func version(of status: DaemonStatus) -> Finding? {
        guard status.software != software else { return Finding(.version, .passed, "handoffd is \(status.software)") }
        return Finding(
            .version, .failed, "handoffd is \(status.software), but this command is \(software)",
            advice: "restart handoffd, which still runs from before the update")
    }

    private func finding(_ service: Service) -> Finding {
        switch service {
        case .enabled: Finding(.service, .passed, "systemd starts handoffd when you log in")
        case .disabled(let start):
            Finding(.service, .failed, "systemd does not start handoffd when you log in", advice: "run: \(start)")
        case .noManager:
            Finding(
                .service, .unknown, "systemd's user manager does not run, so nothing starts handoffd when you log in")
        }
    }

    private func finding(_ storage: Storage) -> Finding {
        if let problem = storage.problem {
            return Finding(
                .storage, .failed, "nothing can be saved in \(storage.folder): \(problem)",
                advice: "without it, a restart loses the account, states and versions")
        }
        guard let free = storage.free else {
            return Finding(.storage, .unknown, "\(storage.folder) can be written; its free space is unknown")
        }
        let megabytes = free / 1_000_000
        guard free >= Self.leastFree else {
            return Finding(
                .storage, .failed, "\(storage.folder) has \(megabytes) MB left", advice: "remove files from that disk")
        }
        return Finding(.storage, .passed, "\(storage.folder) can be written, and has \(megabytes) MB left")
    }

    private func finding(_ history: History) -> Finding {
        switch history {
        case .works: Finding(.history, .passed, "the history can be searched")
        case .fails(let reason):
            Finding(.history, .failed, reason, advice: "nothing that apps make eligible for search is kept or found")
        }
    }

    private func account(_ status: DaemonStatus) -> Finding {
        guard let account = status.account else {
            return .noAccount
        }
        let others = status.devicesKnown - 1
        guard others > 0 else {
            return Finding(
                .account, .failed, "the account has no other device",
                advice: "run: handoff account invite    and on the other device: handoff account join")
        }
        let word = others == 1 ? "1 other device" : "\(others) other devices"
        return Finding(.account, .passed, "this device and \(word) are in account \(account.hex.prefix(8))")
    }

    private func recoveryKey(_ status: DaemonStatus) -> Finding? {
        status.recoveryKey.problem.map { Finding(.recoveryKey, .failed, $0.clause, advice: "run: \($0.command)") }
    }

    // MARK: The network

    private var network: [Finding] {
        var findings: [Finding] = []
        if case .running(let status) = daemon {
            findings.append(port(status))
        }
        if let portHolder, case .running(let status) = daemon, portHolder.process != status.pid {
            findings.append(
                Finding(
                    .port, .unknown,
                    "\(portHolder.name) (process \(portHolder.process)) has TCP port \(BeaconGroup.port)",
                    advice: "end it, and restart handoffd, if that port is open in a firewall"))
        }
        if interfaces.isEmpty {
            findings.append(
                Finding(.interface, .failed, "this machine has no network", advice: "connect it to a network"))
        }
        return findings + interfaces.map(finding) + firewalls.map(finding)
    }

    private func port(_ status: DaemonStatus) -> Finding {
        guard !status.listening.isEmpty else {
            return Finding(.port, .failed, "handoffd does not listen, so no other device can connect to it")
        }
        let listens = "handoffd listens at \(status.listening)"
        if status.wasReached { return Finding(.port, .passed, "\(listens), and another device has connected to it") }
        guard status.devicesConnected > 0 else { return Finding(.port, .passed, listens) }
        return Finding(
            .port, .unknown, "\(listens), but since its start only this device has connected to others",
            advice: "if that stays so, check that firewalls let TCP port \(BeaconGroup.port) through to this device")
    }

    private func finding(_ interface: Interface) -> Finding {
        guard interface.hasMulticast else {
            return Finding(
                .interface, .unknown,
                "\(interface.name) carries no multicast, so devices are not found there, only called at known addresses"
            )
        }
        switch interface.hearsItself {
        case true?: return Finding(.interface, .passed, "beacons pass on \(interface.name)")
        case false?:
            return Finding(
                .interface, .failed,
                "beacons that are sent on \(interface.name) do not return, so a firewall of this machine probably drops them",
                advice:
                    "allow UDP ports \(BeaconGroup.port) and \(BeaconGroup.answerPort), and TCP port \(BeaconGroup.port)"
            )
        case nil:
            return Finding(
                .interface, .failed, "no beacon can be sent on \(interface.name)",
                advice: "check for a firewall that refuses what this machine sends")
        }
    }

    private func finding(_ firewall: Firewall) -> Finding {
        switch firewall.verdict {
        case .allows: Finding(.firewall, .passed, "\(firewall.name) lets Handoff's ports through")
        case .drops(let rule, let advice): Finding(.firewall, .failed, "\(firewall.name): \(rule)", advice: advice)
        case .unreadable(let part, let advice):
            Finding(.firewall, .unknown, "\(firewall.name): \(part)", advice: advice)
        }
    }

    private func finding(_ device: Device) -> Finding {
        guard !device.isConnected else {
            let version = device.software.map { ", with \($0)" } ?? ""
            return Finding(.device, .passed, "\(device.name) is connected\(version)")
        }
        let known = [device.lastSeen, device.problem].compactMap(\.self)
        let seen = (["\(device.name) is not connected"] + known).joined(separator: ", ")
        guard let reach = device.reach else {
            return Finding(
                .device, .failed, "\(seen), and its address is unknown",
                advice: "check that it is awake, on this network, and that handoffd runs there: handoff doctor")
        }
        let at = device.address
        if let tunnel = device.tunnel {
            let verb = reach == .answers ? "answers" : "does not answer"
            return Finding(
                .device, .failed, "\(seen): \(at) \(verb) through \(tunnel), a VPN or another tunnel",
                advice: "let the VPN leave the addresses of this network out, or turn it off")
        }
        return switch reach {
        case .answers:
            Finding(
                .device, .failed, "\(seen), although something answers at \(at)",
                advice: "run on it: handoff doctor; it may have left the account, or another machine has its address")
        case .refuses:
            Finding(
                .device, .failed, "\(seen): the machine at \(at) answers, but no program listens there",
                advice: "check that handoffd runs on \(device.name): handoff doctor")
        case .notOnLink(gateway: true):
            Finding(
                .device, .failed, "\(seen): nothing has the address \(at) here, although the router answers",
                advice:
                    "it is asleep, on another network, or this network isolates its devices from each other (guest Wi-Fi)"
            )
        case .notOnLink(gateway: false):
            Finding(
                .device, .failed, "\(seen): nothing has the address \(at) here, and the router does not answer either",
                advice: "check this machine's network")
        case .silent:
            Finding(
                .device, .failed, "\(seen): \(at) does not answer",
                advice: "it is asleep or elsewhere, or its firewall drops TCP port \(BeaconGroup.port)")
        case .noRoute:
            Finding(
                .device, .failed, "\(seen): this machine has no way to \(at)",
                advice: "check this machine's network or VPN")
        }
    }

    private var clocks: [Finding] {
        let wrong = devices.compactMap { device in device.clock.flatMap { $0.isEmpty ? nil : (device, $0) } }
        guard !wrong.isEmpty else {
            return devices.contains { $0.clock != nil }
                ? [Finding(.clock, .passed, "the clocks of the connected devices agree")] : []
        }
        return wrong.map { device, difference in
            let consequence = device.isConnected ? "" : ", so its beacons are ignored here"
            return Finding(
                .clock, .failed, "the clock of \(device.name) is \(difference) this device's\(consequence)",
                advice: "set the wrong clock, or run on both, as root: timedatectl set-ntp true")
        }
    }

    private func strangers(_ status: DaemonStatus) -> [Finding] {
        let missing = devices.filter { device in
            !device.isConnected && NetworkAddress(device.address).map { status.strangers.contains($0.host) } == true
        }
        let known = missing.compactMap { NetworkAddress($0.address)?.host }
        let others = status.strangers.filter { !known.contains($0) }
        let findings = missing.map { device in
            Finding(
                .beacons, .failed,
                "beacons from \(device.address), the last address of \(device.name), do not open here: that machine is in another account, or has an old key",
                advice: "run on it: handoff account show")
        }
        guard !others.isEmpty else { return findings }
        return findings + [
            Finding(
                .beacons, .unknown,
                "beacons from \(others.joined(separator: ", ")) do not open here: devices of other accounts, or devices that are joining"
            )
        ]
    }

    // MARK: The user

    private func policy(_ status: DaemonStatus) -> [Finding] {
        var findings = status.policy.off.map(Finding.init(off:))
        if let problem = status.policy.problem { findings.append(Finding(.policy, .failed, problem)) }
        return findings.isEmpty ? [Finding(.policy, .passed, "nothing is switched off")] : findings
    }

    private func presence(_ status: DaemonStatus) -> [Finding] {
        guard case .text(let word)? = status.facts.first(where: { $0.name == "presence" })?.value else { return [] }
        guard let presence = Presence.allCases.first(where: { "\($0)" == word.text }) else {
            return [
                Finding(.presence, .unknown, "nothing reports whether you are here, so activities are offered always")
            ]
        }
        return [presence.finding ?? Finding(.presence, .passed, "you are here")]
    }

    private func browsers(_ status: DaemonStatus) -> Finding {
        guard !status.browsers.isEmpty else {
            return Finding(
                .browser, .unknown, "no browser with Handoff's extension runs", advice: "run: handoff browser status")
        }
        return Finding(
            .browser, .passed, "connected: \(status.browsers.map(\.text).joined(separator: ", "))")
    }
}

extension Presence {
    /// Nil: the user is here.
    package var finding: Finding? {
        let reason: String? =
            switch self {
            case .here: nil
            case .locked: "the screen is locked"
            case .idle: "this device was not used for a while"
            case .elsewhere: "another user has the screen"
            }
        return reason.map { Finding(.presence, .failed, "\($0), so activities here are not offered") }
    }
}

extension Finding {
    package static let noAccount = Finding(
        .account, .failed, "this device is in no account, so it offers and finds nothing", advice: Advice.joinAccount)

    package init(off policySwitch: PolicySwitch) {
        self.init(.policy, .failed, policySwitch.reason, advice: policySwitch.advice)
    }
}
