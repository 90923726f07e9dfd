// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem

/// Whether a datagram to the beacons' group returns to this machine. A firewall that drops beacons drops it too.
enum MulticastEcho {
    /// Until it must have returned.
    static let patience = Duration.milliseconds(300)
    /// Bytes of the longest datagram that is compared.
    private static let limit = 2048

    /// Nil: it cannot be sent.
    static func returns(on interface: NetworkInterface) -> Bool? {
        do throws(SystemError) { return try sends(on: interface) } catch { return nil }
    }

    private static func sends(on interface: NetworkInterface) throws(SystemError) -> Bool {
        let group = MulticastGroup(interface.ipv4.isEmpty ? BeaconGroup.ipv6 : BeaconGroup.ipv4)
        let scope = group.isIPv4 ? "" : "%\(interface.name)"
        guard let address = InternetAddress(host: group.address + scope, port: BeaconGroup.port) else {
            throw SystemError(EINVAL, interface.name)
        }
        let ear = try OwnedDescriptor.socket(address.family, SOCK_DGRAM)
        let voice = try OwnedDescriptor.socket(address.family, SOCK_DGRAM)
        // The daemon has the port, too.
        try ear.set(SOL_SOCKET, SO_REUSEADDR, CInt(1))
        if !group.isIPv4 { try ear.set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, CInt(1)) }
        try ear.bind(to: address)
        try group.setMembership(of: ear.number, on: interface.index, true)
        try group.setInterface(of: voice.number, to: interface)
        let text = Array("handoff doctor \(UInt64.random(in: .min ... .max))".utf8)
        try voice.send(text, to: address)
        let deadline = ContinuousClock.now + patience
        while let heard = receive(by: ear.number, until: deadline) {
            if heard == text { return true }
        }
        return false
    }

    /// Nil: nothing more arrives in time.
    private static func receive(by descriptor: CInt, until deadline: ContinuousClock.Instant) -> [UInt8]? {
        let left = ContinuousClock.now.duration(to: deadline).pollMilliseconds
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard left > 0, retrying({ poll(&poller, 1, left) }) == 1 else { return nil }
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = retrying { recv(descriptor, &buffer, buffer.count, 0) }
        return count < 0 ? nil : Array(buffer[..<count])
    }
}
