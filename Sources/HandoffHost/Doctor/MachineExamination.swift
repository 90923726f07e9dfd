// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import FoundationEssentials
internal import Glibc
package import HandoffCore
internal import HandoffSystem

/// Examines this machine without the daemon. Blocks for seconds.
package enum MachineExamination {
    /// For another program, such as `nft`.
    static let patience = Duration.seconds(3)
    /// Bytes that such a program may print.
    static let limit = 4 << 20

    package static func interfaces() -> [Observations.Interface] {
        // Bridges of stopped containers have no carrier.
        NetworkInterface.usable(withLoopback: false).filter(\.isRunning).map { interface in
            Observations.Interface(
                name: interface.name, hasMulticast: interface.hasMulticast,
                hearsItself: interface.hasMulticast ? MulticastEcho.returns(on: interface) : nil)
        }
    }

    package static func storage(_ folder: String) -> Observations.Storage {
        var storage = Observations.Storage(folder: folder)
        storage.problem = problem(of: folder)
        var status = statvfs()
        if statvfs(folder, &status) == 0 {
            storage.free = Int64(
                clamping: status.f_bavail.multipliedReportingOverflow(by: status.f_frsize).partialValue)
        }
        return storage
    }

    /// Creates an unnamed file, if possible, so that a crash leaves nothing.
    private static func problem(of folder: String) -> String? {
        let place = open(folder, O_DIRECTORY | O_CLOEXEC)
        guard place >= 0 else { return SystemError("open").reason }
        defer { close(place) }
        let file = chandoff_open_unnamed(place, 0o600)
        if file >= 0 {
            close(file)
            return nil
        }
        if errno == EOPNOTSUPP || errno == EISDIR, access(folder, W_OK) == 0 { return nil }
        return SystemError("open").reason
    }

    /// If an interface has a default route, those without it are ignored: they may be bridges of containers.
    package static func firewalls(
        on interfaces: [String], environment: [String: String]
    ) -> [Observations.Firewall] {
        let own = interfaces.filter(Neighbours().outward.contains)
        let interfaces = own.isEmpty ? interfaces : own
        func answer(_ program: String, _ arguments: [String]) -> [UInt8]? {
            guard ProgramFinder(environment: environment).path(of: program) != nil else { return nil }
            return SpawnedProcess.output(
                of: program, arguments, environment: environment, limit: limit, within: patience)
        }
        let hasNft = ProgramFinder(environment: environment).path(of: "nft") != nil
        if let filter = answer("nft", ["-j", "list", "ruleset"]).flatMap({ PacketFilter(json: $0) }) {
            return [
                firewall(of: filter, on: interfaces) { interface in
                    guard geteuid() == 0 else { return nil }
                    return answer("firewall-cmd", ["--get-zone-of-interface=\(interface)"]).map {
                        String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
                    }
                }
            ]
        }
        var firewalls: [Observations.Firewall] = []
        if hasNft {
            firewalls.append(
                Observations.Firewall(
                    name: "nftables",
                    verdict: .unreadable("its rules could not be read", advice: "run as root: nft list ruleset")))
        }
        // `firewall-cmd` could ask the user for a password.
        if answer("systemctl", ["is-active", "firewalld"]) != nil {
            firewalls.append(
                Observations.Firewall(
                    name: Self.firewalld,
                    verdict: .unreadable(
                        "it runs, and only root can read its rules",
                        advice: "run as root: handoff doctor    or allow the ports: \(opening(zone: "ZONE"))")))
        }
        if isOn(ufw: try? String(contentsOfFile: "/etc/ufw/ufw.conf", encoding: .utf8)) {
            let ports = portNames.joined(separator: ", ")
            firewalls.append(
                Observations.Firewall(
                    name: "ufw",
                    verdict: .unreadable(
                        "it is on, and only root can read its rules",
                        advice: "check that it allows \(ports), as root: ufw status")))
        }
        return firewalls
    }

    private static let needed: [(transport: PacketFilter.Transport, port: UInt16)] = [
        (.tcp, BeaconGroup.port), (.udp, BeaconGroup.port), (.udp, BeaconGroup.answerPort),
    ]

    private static var portNames: [String] { needed.map { "\($0.port)/\($0.transport.rawValue)" } }

    private static let firewalld = "firewalld"

    private static func opening(zone: String?) -> String {
        let zone = zone.map { " --zone=\($0)" } ?? ""
        let options = portNames.map { " --add-port=\($0)" }.joined()
        return "firewall-cmd --permanent\(zone)\(options) && firewall-cmd --reload"
    }

    static func isOn(ufw configuration: String?) -> Bool {
        (configuration ?? "").split(separator: "\n").contains { $0.lowercased().filter { $0 != " " } == "enabled=yes" }
    }

    /// `zone`: firewalld's of an interface, unless it is the default.
    static func firewall(
        of filter: PacketFilter, on interfaces: [String], zone: (String) -> String? = { _ in nil }
    ) -> Observations.Firewall {
        let places = interfaces.isEmpty ? [nil] : interfaces.map(Optional.some)
        let found = needed.flatMap { transport, port in
            places.compactMap { place in
                let packet = PacketFilter.Packet(transport: transport, port: port, interface: place)
                return filter.obstacle(to: packet).map { (packet: packet, obstacle: $0) }
            }
        }
        let certain = found.filter(\.obstacle.isCertain)
        let blocked = certain.isEmpty ? found : certain
        guard let chain = blocked.first?.obstacle.chain else {
            return Observations.Firewall(name: "nftables", verdict: .allows)
        }
        let ports = needed.filter { transport, port in
            blocked.contains { $0.packet.transport == transport && $0.packet.port == port }
        }
        let names = ports.map { "\($0.transport.rawValue.uppercased()) \($0.port)" }.joined(separator: ", ")
        let closed = interfaces.filter { name in blocked.contains { $0.packet.interface == name } }
        let place = closed == interfaces ? "" : " on \(closed.joined(separator: ", "))"
        guard !certain.isEmpty else {
            let seen = "the chain \(chain) may drop what other devices send to \(names)\(place)"
            let verdict = Observations.Firewall.Verdict.unreadable(
                seen, advice: "check its rules, as root: nft list chain \(chain)")
            return Observations.Firewall(name: "nftables", verdict: verdict)
        }
        let seen = "the chain \(chain) drops what other devices send to \(names)\(place)"
        guard chain.split(separator: " ").dropFirst().first != Self.firewalld[...] else {
            let command = opening(zone: closed.first.flatMap(zone))
            return Observations.Firewall(name: Self.firewalld, verdict: .drops(seen, advice: "run as root: \(command)"))
        }
        let rules = ports.map { "nft insert rule \(chain) \($0.transport.rawValue) dport \($0.port) accept" }
        return Observations.Firewall(
            name: "nftables", verdict: .drops(seen, advice: "run as root: \(rules.joined(separator: "; "))"))
    }
}
