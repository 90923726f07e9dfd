// SPDX-License-Identifier: Apache-2.0

import HandoffCore
package import HandoffWire

/// Where devices were reached, newest first, for networks without multicast. A cache: its loss costs only time.
package struct KnownAddresses: Hashable, Sendable {
    private struct Entry: Hashable {
        let device: DeviceID
        var addresses: [NetworkAddress]
    }

    private var entries: [Entry] = []

    package init() {}

    subscript(device: DeviceID) -> [NetworkAddress] {
        entries.first { $0.device == device }?.addresses ?? []
    }

    mutating func remember(_ address: NetworkAddress, of device: DeviceID) -> Bool {
        let before = self
        let others = self[device].filter { $0 != address }
        let addresses = [address] + others.prefix(DiscoveryLimits.knownAddressesPerDevice - 1)
        if let index = entries.firstIndex(where: { $0.device == device }) {
            // The order of devices matters only above the limit, so it is not worth a write.
            guard entries[index].addresses != addresses else { return false }
            entries.remove(at: index)
        }
        entries.insert(Entry(device: device, addresses: addresses), at: 0)
        if entries.count > Limits.devicesPerAccount { entries.removeLast() }
        return self != before
    }

    mutating func forget(_ address: NetworkAddress, of device: DeviceID) -> Bool {
        guard let index = entries.firstIndex(where: { $0.device == device }),
            let place = entries[index].addresses.firstIndex(of: address)
        else { return false }
        entries[index].addresses.remove(at: place)
        if entries[index].addresses.isEmpty { entries.remove(at: index) }
        return true
    }

    package mutating func keep(_ devices: Set<DeviceID>) -> Bool {
        let count = entries.count
        entries.removeAll { !devices.contains($0.device) }
        return entries.count != count
    }
}

/// After a heading, each line is `DEVICE HOST:PORT`, with the device in hexadecimal.
extension KnownAddresses {
    private static let heading = "handoff-addresses 1"

    package func encoded() -> [UInt8] {
        let lines = entries.flatMap { entry in entry.addresses.map { "\(entry.device.hex) \($0)" } }
        return Array(([Self.heading] + lines).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
    }

    package init(encoded bytes: [UInt8]) throws(WireError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw WireError(.malformed, "the known addresses are not text")
        }
        let lines = text.split(separator: "\n")
        guard lines.first.map(String.init) == Self.heading else {
            throw WireError(.malformed, "not a file of known addresses")
        }
        guard lines.count <= 1 + Limits.devicesPerAccount * DiscoveryLimits.knownAddressesPerDevice else {
            throw WireError(.limitReached, "too many known addresses")
        }
        // Oldest first, because each is inserted at the front.
        for line in lines.dropFirst().reversed() {
            let words = line.split(separator: " ")
            guard words.count == 2, let address = NetworkAddress(String(words[1])) else {
                throw WireError(.malformed, "a known address is a device and HOST:PORT")
            }
            _ = remember(address, of: try DeviceID(hex: String(words[0])))
        }
    }
}
