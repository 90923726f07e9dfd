// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import NIOCore

/// Several, because the kernel allows each socket only 20 memberships (`net.ipv4.igmp_max_memberships`), and a machine
/// with containers has more interfaces. Each receives only from interfaces that it joined, so no datagram arrives
/// twice.
final class BeaconEars {
    static let most = 64

    private struct Ear {
        let socket: BeaconSocket
        var joined: Set<UInt32> = []
        var isFull = false
    }

    let family: BeaconSocket.Family
    private(set) var refused: [UInt32: SystemError] = [:]
    private let open: () throws(SystemError) -> BeaconSocket
    private var ears: [Ear]

    init(
        _ family: BeaconSocket.Family, port: UInt16, on loop: any EventLoop,
        received: @escaping ([UInt8], SocketAddress) -> Void
    ) throws(SystemError) {
        self.family = family
        open = { () throws(SystemError) in try .ear(family, port: port, on: loop, received: received) }
        ears = [Ear(socket: try open())]
    }

    func close() {
        for ear in ears { ear.socket.close() }
        ears = []
    }

    func listen(on interfaces: [UInt32]) {
        let wanted = Set(interfaces)
        for index in ears.indices {
            for gone in ears[index].joined.subtracting(wanted) {
                ears[index].socket.leave(gone)
                ears[index].joined.remove(gone)
                ears[index].isFull = false
            }
        }
        for index in ears.indices.dropFirst().reversed() where ears[index].joined.isEmpty {
            ears.remove(at: index).socket.close()
        }
        let joined = ears.reduce(into: Set()) { $0.formUnion($1.joined) }
        refused = [:]
        for interface in interfaces where !joined.contains(interface) {
            do throws(SystemError) { try join(interface) } catch { refused[interface] = error }
        }
    }

    private func join(_ interface: UInt32) throws(SystemError) {
        var refusal = SystemError(ENOBUFS, "memberships")
        for index in ears.indices where !ears[index].isFull {
            do throws(SystemError) { return try join(interface, by: index) } catch {
                guard ears[index].isFull else { throw error }
                refusal = error
            }
        }
        guard ears.count < Self.most else { throw refusal }
        ears.append(Ear(socket: try open()))
        try join(interface, by: ears.count - 1)
    }

    private func join(_ interface: UInt32, by index: Int) throws(SystemError) {
        do throws(SystemError) {
            try ears[index].socket.join(interface)
            ears[index].joined.insert(interface)
        } catch {
            // Without any membership, the refusal has another reason.
            ears[index].isFull = (error.code == ENOBUFS || error.code == ENOMEM) && !ears[index].joined.isEmpty
            throw error
        }
    }
}
