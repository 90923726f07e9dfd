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
        // The bridges of containers that do not run have no carrier.
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

    /// Creates a file without a name, so that a crash leaves nothing. Not all file systems can.
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

    package static func firewalls(environment: [String: String]) -> [Observations.Firewall] {
        let finder = ProgramFinder(environment: environment)
        var firewalls: [Observations.Firewall] = []
        if finder.path(of: "nft") != nil {
            let rules = SpawnedProcess.output(
                of: "nft", ["-j", "list", "ruleset"], environment: environment, limit: limit, within: patience)
            if let filter = rules.flatMap({ PacketFilter(json: $0) }) {
                return [Observations.Firewall(name: "nftables", verdict: verdict(of: filter))]
            }
            firewalls.append(
                Observations.Firewall(
                    name: "nftables",
                    verdict: .unreadable("its rules could not be read", advice: "run as root: nft list ruleset")))
        }
        if isOn(ufw: try? String(contentsOfFile: "/etc/ufw/ufw.conf", encoding: .utf8)) {
            let ports = "\(BeaconGroup.port)/tcp, \(BeaconGroup.port)/udp, \(BeaconGroup.answerPort)/udp"
            firewalls.append(
                Observations.Firewall(
                    name: "ufw",
                    verdict: .unreadable(
                        "it is on, and only root can read its rules",
                        advice: "check that it allows \(ports), as root: ufw status")))
        }
        return firewalls
    }

    static func isOn(ufw configuration: String?) -> Bool {
        (configuration ?? "").split(separator: "\n").contains { $0.lowercased().filter { $0 != " " } == "enabled=yes" }
    }

    static func verdict(of filter: PacketFilter) -> Observations.Firewall.Verdict {
        let needed: [(PacketFilter.Transport, UInt16)] = [
            (.tcp, BeaconGroup.port), (.udp, BeaconGroup.port), (.udp, BeaconGroup.answerPort),
        ]
        let drops = needed.compactMap { transport, port in
            filter.dropper(of: transport, to: port).map { (transport, port, $0) }
        }
        guard let first = drops.first else { return .allows }
        let ports = drops.map { "\($0.0.rawValue.uppercased()) \($0.1)" }.joined(separator: ", ")
        let advice = drops.map { "nft insert rule \($0.2) \($0.0.rawValue) dport \($0.1) accept" }
        return .drops(
            "the chain \(first.2) drops what other devices send to \(ports)",
            advice: "run as root: \(advice.joined(separator: "; "))")
    }
}
