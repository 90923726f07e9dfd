// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// All messages of other programs pass through `received`, so none bypasses the gate.
extension BusConnection {
    /// Answers nil, or why the program is not served. Called once for each calling connection.
    package typealias Admission = (BusPeer, @escaping (BusFailure?) -> Void) -> Void

    private static let introspectable = "org.freedesktop.DBus.Introspectable"
    private static let peer = "org.freedesktop.DBus.Peer"
    /// The bus, and libsystemd itself. No program can own these names.
    private static let trusted: Set<String> = ["org.freedesktop.DBus", "org.freedesktop.DBus.Local"]

    /// Not for answers to this connection's calls. Returns 1 to hide the message from matches and objects.
    func received(_ pointer: OpaquePointer) -> CInt {
        let header = MessageReader.header(pointer)
        guard !Self.trusted.contains(header.sender) else { return 0 }
        var kind: UInt8 = 0
        guard sd_bus_message_get_type(pointer, &kind) >= 0 else { return 1 }
        switch CInt(kind) {
        case CInt(SD_BUS_MESSAGE_METHOD_CALL): return serve(pointer, header)
        case CInt(SD_BUS_MESSAGE_SIGNAL): return senders.readsSignal(of: header.sender) ? 0 : 1
        default: return 1
        }
    }

    private func serve(_ pointer: OpaquePointer, _ header: BusMessage) -> CInt {
        let decision = senders.decision(onCallOf: header.sender)
        switch decision {
        case .ignore: return 1
        case .refuse(let failure):
            BusReply(to: pointer, from: header.sender, on: bus).fail(failure)
            return 1
        case .serve, .hold: break
        }
        // libsystemd answers this without reading the body.
        guard header.interface != Self.peer else { return 0 }
        let reply = BusReply(to: pointer, from: header.sender, on: bus)
        do throws(BusFailure) {
            let method = try method(for: header)
            var cost = 0
            let read = Result { () throws(BusFailure) in
                try MessageReader.read(pointer, header, within: senders.reading(of: header.sender), cost: &cost)
            }
            bodiesRead += 1
            senders.read(cost, from: header.sender)
            let message = try read.get()
            if case .hold = decision {
                senders.hold(.init(message: message, reply: reply, cost: cost, method: method), of: header.sender)
            } else {
                method(message, reply)
            }
        } catch {
            reply.fail(error)
        }
        return 1
    }

    private func method(for header: BusMessage) throws(BusFailure) -> BusInterface.Call {
        if let object = objects[header.path]?.object { return try object.method(for: header) }
        let children = children(of: header.path)
        guard !children.isEmpty else {
            throw BusFailure(BusFailure.unknownObject, "no object \(header.path) exists")
        }
        guard header.interface == Self.introspectable, header.member == "Introspect", header.signature.isEmpty else {
            throw BusFailure(BusFailure.unknownMethod, "\(header.path) has no method \(header.member)")
        }
        return { $1.answer([.string(BusInterface.document(children: children))]) }
    }

    /// For introspection.
    private func children(of path: String) -> [String] {
        let start = path == "/" ? path : path + "/"
        let names = objects.keys.filter { $0.hasPrefix(start) }
            .map { String($0.dropFirst(start.count).prefix { $0 != "/" }) }
        return Set(names).filter { !$0.isEmpty }.sorted()
    }
}

/// The object's owner retains it.
struct ServedObject {
    weak var object: BusObject?
}
