// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A local network: a switch in its own namespace, and one namespace per device, with a cable to the switch.
///
///     laptop ──── eth0 ═══ port1 ─┐
///     desktop ─── eth0 ═══ port2 ─┤ switch
///     tablet ──── eth0 ═══ port3 ─┘
package final class Network {
    package struct Options: Sendable {
        package var ipv4 = true
        package var ipv6 = true
        /// Through an unused address, so that its packets are lost.
        package var defaultRoute = true
        /// Only the link-local addresses of IPv6.
        package var linkLocalOnly = false
        /// A switch without it, as in many hotels, drops multicast. IPv6 does not work there.
        package var multicast = true
        /// Each device has a tunnel without an end that holds its default route.
        package var tunnel = false

        package init(
            ipv4: Bool = true, ipv6: Bool = true, defaultRoute: Bool = true, linkLocalOnly: Bool = false,
            multicast: Bool = true, tunnel: Bool = false
        ) {
            self.ipv4 = ipv4
            self.ipv6 = ipv6
            self.defaultRoute = defaultRoute
            self.linkLocalOnly = linkLocalOnly
            self.multicast = multicast
            self.tunnel = tunnel
        }
    }

    private static let prefix = "handoff-\(ProcessInfo.processInfo.processIdentifier)-"
    private let stage: Stage
    private let options: Options
    private let number: Int
    private let hub: String
    private var ports: [String: Int] = [:]

    /// `number`: different for each network of the stage.
    package init(on stage: Stage, _ options: Options = Options(), number: Int = 0) throws {
        self.stage = stage
        self.options = options
        self.number = number
        hub = Self.prefix + "switch\(number)"
        try addNamespace(hub)
        // Without snooping the switch floods multicast, as the simplest switches do.
        try ip("-n", hub, "link", "add", "switch", "type", "bridge", "mcast_snooping", "0")
        try ip("-n", hub, "link", "set", "switch", "up")
    }

    /// Adds a device, which may be on another network too. Returns the words before a command that run it there.
    package func connect(_ name: String) throws -> [String] {
        let number = ports.count + 1
        ports[name] = number
        let (namespace, cable, port) = (Self.prefix + name, "eth\(self.number)", "port\(number)")
        if !FileManager.default.fileExists(atPath: Self.file(of: namespace)) {
            try addNamespace(namespace)
            try ip("-n", namespace, "link", "set", "lo", "up")
        }
        try ip("link", "add", cable, "netns", namespace, "type", "veth", "peer", "name", port, "netns", hub)
        try ip("-n", hub, "link", "set", port, "master", "switch", "up")
        if !options.multicast { try ip("-n", hub, "link", "set", port, "type", "bridge_slave", "mcast_flood", "off") }
        if !options.ipv6 { try setting(namespace, "ipv6/conf/\(cable)/disable_ipv6", "1") }
        // Duplicate address detection takes two seconds and is not needed here.
        if options.ipv6 { try setting(namespace, "ipv6/conf/\(cable)/accept_dad", "0") }
        if options.ipv4 { try ip("-n", namespace, "addr", "add", address(number), "dev", cable) }
        try ip("-n", namespace, "link", "set", cable, "up")
        if options.ipv6, !options.linkLocalOnly {
            try ip("-n", namespace, "addr", "add", "fd\(77 + self.number)::\(number)/64", "dev", cable, "nodad")
        }
        if options.tunnel {
            try ip("-n", namespace, "link", "add", "tunnel", "type", "veth", "peer", "name", "nowhere")
            for end in ["tunnel", "nowhere"] { try ip("-n", namespace, "link", "set", end, "up") }
            try ip("-n", namespace, "addr", "add", "10.99.0.\(number)/24", "dev", "tunnel")
            try ip("-n", namespace, "route", "add", "default", "dev", "tunnel")
        } else if options.defaultRoute, options.ipv4 {
            try ip("-n", namespace, "route", "add", "default", "via", "10.\(77 + self.number).0.254")
        }
        return ["ip", "netns", "exec", namespace]
    }

    private func address(_ device: Int) -> String { "10.\(77 + number).0.\(device)/24" }

    /// Pulls the cable out of the switch.
    package func unplug(_ name: String) throws { try setPort(name, "down") }

    package func plug(_ name: String) throws { try setPort(name, "up") }

    /// From now on, devices reach only the router, as in a guest Wi-Fi. For networks with IPv4 only.
    package func isolateDevices() throws {
        try ip("-n", hub, "addr", "add", address(254), "dev", "switch")
        for (name, port) in ports {
            try ip("-n", hub, "link", "set", "port\(port)", "type", "bridge_slave", "isolated", "on")
            try ip("-n", Self.prefix + name, "neigh", "flush", "all")
        }
    }

    /// Limits the device's sending rate, bytes per second. `queue`: bytes that wait before any is lost; nil for 50 ms.
    package func slow(_ name: String, to rate: Int, queue: Int? = nil) throws {
        let wait = queue.map { ["burst", "4kb", "limit", "\($0)"] } ?? ["burst", "64kb", "latency", "50ms"]
        try must(
            [
                "tc", "-n", Self.prefix + name, "qdisc", "replace", "dev", "eth\(number)", "root", "tbf", "rate",
                "\(rate * 8)",
            ] + wait)
    }

    /// Sends each packet as itself, not many as one, which a cable in memory would pass on.
    package func sendSinglePackets(from name: String) throws {
        try ip("-n", Self.prefix + name, "link", "set", "dev", "eth\(number)", "gso_max_segs", "1")
    }

    /// Replaces its address, as another network would. For networks with IPv4 only.
    package func readdress(_ name: String) throws {
        let (device, namespace) = (try port(name), Self.prefix + name)
        // This order, because removing an address also removes later ones of the same network.
        try ip("-n", namespace, "addr", "delete", address(device), "dev", "eth\(number)")
        try ip("-n", namespace, "addr", "add", address(100 + device), "dev", "eth\(number)")
    }

    /// The file of a device's namespace.
    func space(of name: String) -> String { Self.file(of: Self.prefix + name) }

    private static func file(of namespace: String) -> String { "/run/netns/\(namespace)" }

    /// Captures its cable at the switch. `withStreams`: includes TCP, if there are no connections yet.
    package func capture(_ name: String, withStreams: Bool = true) throws -> Capture {
        try Capture(namespace: Self.file(of: hub), interface: "port\(port(name))", withStreams: withStreams)
    }

    /// Its IPv4 address.
    package func address(of name: String) throws -> String { "10.77.0.\(try port(name))" }

    /// Gives a device a host name that programs on all devices connected so far can resolve.
    package func call(_ device: String, _ name: String) throws {
        let line = Data("127.0.0.1 localhost\n::1 localhost\n\(try address(of: device)) \(name)\n".utf8)
        for other in ports.keys { try replace("hosts", of: other, with: line) }
    }

    /// Replaces a file in /etc for the programs that a device starts from now on.
    package func replace(_ path: String, of device: String, with file: Data) throws {
        let place = try settings(of: device).appending(path: path)
        try makeFolder(place.deletingLastPathComponent())
        try file.write(to: place)
    }

    /// Replaces /etc/`name` with an empty folder for the programs that a device starts from now on. Files added later
    /// are visible to them at once.
    package func folder(_ name: String, inSettingsOf device: String) throws -> URL {
        let folder = try settings(of: device).appending(path: name)
        try makeFolder(folder)
        // A mount needs an existing folder.
        let covered = "/etc/\(name)"
        if mkdir(covered, 0o755) == 0 {
            stage.afterwards { rmdir(covered) }
        } else if errno != EEXIST {
            throw Unmet("\(covered) cannot be made: \(String(cString: strerror(errno)))")
        }
        return folder
    }

    /// The files with which `ip netns exec` replaces those in /etc.
    private func settings(of device: String) throws -> URL {
        let all = URL(filePath: "/etc/netns")
        let folder = all.appending(path: Self.prefix + device)
        stage.afterwards {
            try? FileManager.default.removeItem(at: folder)
            // Removed if it was the last one there.
            rmdir(all.path)
        }
        return folder
    }

    /// Another process that uses this class may remove an empty /etc/netns between two steps of this.
    private func makeFolder(_ folder: URL) throws {
        for _ in 1...10 {
            do {
                return try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            } catch CocoaError.fileNoSuchFile {}
        }
        throw Unmet("\(folder.path) cannot be made")
    }

    /// The only root that the programs of a device trust.
    package func trust(_ root: Data, on device: String) throws {
        try replace("ssl/certs/ca-certificates.crt", of: device, with: root)
    }

    /// Devices connected so far reach these IPv4 addresses through this device.
    package func route(_ addresses: String, to device: String) throws {
        let gateway = try address(of: device)
        for other in ports.keys where other != device {
            try ip("-n", Self.prefix + other, "route", "add", addresses, "via", gateway)
        }
    }

    /// Adds an IPv4 address.
    package func add(_ address: String, to device: String) throws {
        try ip("-n", Self.prefix + device, "addr", "add", "\(address)/32", "dev", "eth\(number)")
    }

    /// Takes over another device's hardware and IPv4 addresses. The other must be unplugged.
    package func impersonate(_ name: String, by other: String) throws {
        try ip("-n", Self.prefix + other, "link", "set", "eth0", "address", try hardwareAddress(of: name))
        try ip("-n", Self.prefix + other, "addr", "add", "\(try address(of: name))/24", "dev", "eth0")
    }

    package func stopImpersonating(_ name: String, by other: String) throws {
        try ip("-n", Self.prefix + other, "addr", "del", "\(try address(of: name))/24", "dev", "eth0")
        try ip("-n", Self.prefix + other, "link", "set", "eth0", "address", "02:00:00:77:00:0\(try port(other))")
    }

    private func hardwareAddress(of name: String) throws -> String {
        try RunningProgram.run(
            ["ip", "netns", "exec", Self.prefix + name, "cat", "/sys/class/net/eth0/address"]
        ).output
    }

    /// Why namespaces cannot be created here; nil if they can.
    package static let missing: String? = {
        guard geteuid() == 0 else { return "network namespaces need root" }
        let probe = prefix + "probe"
        guard let made = try? RunningProgram.run(["ip", "netns", "add", probe]) else { return "there is no ip command" }
        guard made.code == 0 else { return "namespaces cannot be made here: \(made.errors)" }
        _ = try? RunningProgram.run(["ip", "netns", "delete", probe])
        return nil
    }()

    private func setPort(_ name: String, _ state: String) throws {
        try ip("-n", hub, "link", "set", "port\(port(name))", state)
    }

    private func port(_ name: String) throws -> Int {
        guard let number = ports[name] else { throw Unmet("\(name) is not on this network") }
        return number
    }

    private func addNamespace(_ name: String) throws {
        try ip("netns", "add", name)
        stage.afterwards { _ = try? RunningProgram.run(["ip", "netns", "delete", name]) }
    }

    private func setting(_ namespace: String, _ name: String, _ value: String) throws {
        try must(["ip", "netns", "exec", namespace, "sh", "-c", "echo \(value) > /proc/sys/net/\(name)"])
    }

    private func ip(_ arguments: String...) throws { try must(["ip"] + arguments) }

    private func must(_ command: [String]) throws {
        let ended = try RunningProgram.run(command)
        guard ended.code == 0 else { throw Unmet("\(command.joined(separator: " ")): \(ended.errors)") }
    }
}
