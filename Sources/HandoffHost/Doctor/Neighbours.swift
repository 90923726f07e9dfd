// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

struct Neighbours {
    /// By address: whether its machine answered.
    private var answered: [String: Bool] = [:]
    private var gateways: Set<String> = []
    /// Those with a default route.
    private(set) var outward: Set<String> = []

    private static let mostBytes = 4 << 20

    init(
        arp: String? = OpenFile.text(of: "/proc/net/arp", limit: mostBytes),
        routes: String? = OpenFile.text(of: "/proc/net/route", limit: mostBytes)
    ) {
        for line in (arp ?? "").split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count >= 3, let flags = UInt32(fields[2].dropFirst(2), radix: 16) else { continue }
            let isComplete: UInt32 = 2
            answered[String(fields[0])] = flags & isComplete != 0
        }
        for line in (routes ?? "").split(separator: "\n").dropFirst() {
            let fields = line.split(separator: "\t")
            guard fields.count >= 3, fields[1] == "00000000", let gateway = UInt32(fields[2], radix: 16), gateway != 0
            else {
                continue
            }
            outward.insert(String(fields[0]))
            gateways.insert((0..<4).map { "\(gateway >> ($0 * 8) & 0xff)" }.joined(separator: "."))
        }
    }

    /// This machine asked for the address on this network, and no machine answered.
    func isMissing(_ host: String) -> Bool { answered[host] == false }
    var haveGateway: Bool { gateways.contains { answered[$0] == true } }

    /// Makes the kernel look for them; the answer is known when a call has failed.
    func callGateways() {
        let discard: UInt16 = 9
        for gateway in gateways {
            guard let address = InternetAddress(host: gateway, port: discard) else { continue }
            try? OwnedDescriptor.socket(address.family, SOCK_DGRAM).send(Array("?".utf8), to: address)
        }
    }
}
