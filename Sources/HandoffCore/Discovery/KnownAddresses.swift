// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Addresses at which devices were reached before, newest first. Kept over restarts, so that a network without
/// multicast still works. Only a cache: losing it costs time, nothing else.
package struct KnownAddresses: Hashable, Sendable {
    private struct Entry: Hashable {
        let device: DeviceID
        var addresses: [NetworkAddress]
    }

    /// The device reached last comes first.
    private var entries: [Entry] = []

    package init() {}

    package subscript(device: DeviceID) -> [NetworkAddress] {
        entries.first { $0.device == device }?.addresses ?? []
    }

    /// Whether that changed anything.
    package mutating func remember(_ address: NetworkAddress, of device: DeviceID) -> Bool {
        let before = self
        let others = self[device].filter { $0 != address }
        let addresses = [address] + others.prefix(DiscoveryLimits.knownAddressesPerDevice - 1)
        if let index = entries.firstIndex(where: { $0.device == device }) {
            // The place among the devices matters only when there are too many; not worth a write by itself.
            guard entries[index].addresses != addresses else { return false }
            entries.remove(at: index)
        }
        entries.insert(Entry(device: device, addresses: addresses), at: 0)
        if entries.count > Limits.devicesPerAccount { entries.removeLast() }
        return self != before
    }

    package mutating func forget(_ address: NetworkAddress, of device: DeviceID) -> Bool {
        guard let index = entries.firstIndex(where: { $0.device == device }),
            let place = entries[index].addresses.firstIndex(of: address)
        else { return false }
        entries[index].addresses.remove(at: place)
        if entries[index].addresses.isEmpty { entries.remove(at: index) }
        return true
    }

    /// Keeps only these devices; whether any was dropped.
    package mutating func keep(_ devices: Set<DeviceID>) -> Bool {
        let count = entries.count
        entries.removeAll { !devices.contains($0.device) }
        return entries.count != count
    }
}

/// The file: a line that names the format, then a line for each address, `DEVICE HOST:PORT`, the device in hexadecimal.
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
        // Oldest first, so that each lands in front of those after it.
        for line in lines.dropFirst().reversed() {
            let words = line.split(separator: " ")
            guard words.count == 2, let address = NetworkAddress(String(words[1])) else {
                throw WireError(.malformed, "a known address is a device and HOST:PORT")
            }
            _ = remember(address, of: try DeviceID(hex: String(words[0])))
        }
    }
}
