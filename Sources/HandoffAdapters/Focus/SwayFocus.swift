// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffSystem
import HandoffWire

/// The focus of a sway session, by the events of its socket: `man sway-ipc`.
final class SwayFocus {
    private let focused: (Int32) -> Void
    private let socket: OpenFile
    private var watch: LoopWatch?
    private var stream = SwayStream()

    /// Throws if sway does not listen there.
    init(_ path: String, on loop: BusLoop, focused: @escaping (Int32) -> Void) throws(BusFailure) {
        self.focused = focused
        socket = OpenFile(
            descriptor: Glibc.socket(
                AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0), path: path)
        let request = SwayStream.requests
        guard let address = sockaddr_un(path: path),
            address.withSocketAddress({ connect(socket.descriptor, $0, $1) }) == 0,
            write(socket.descriptor, request, request.count) == request.count
        else { throw BusFailure(BusFailure.failed, "sway does not answer") }
        watch = try loop.watch(socket.descriptor) { [unowned self] in read() }
    }

    // The loop must stop watching a descriptor before it is closed.
    deinit { watch = nil }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = Glibc.read(socket.descriptor, &buffer, buffer.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0, stream.take(buffer[..<count]) else {
            watch = nil
            return
        }
        while let message = stream.next() {
            if let process = message.focusedProcess { focused(process) }
        }
    }
}

/// Messages of sway and i3: six letters, length and type of four bytes in the machine's order, and JSON.
package struct SwayStream {
    /// The tree of all windows has about a thousand for each.
    static let maximumBytes = 1 << 20

    private static let magic = Array("i3-ipc".utf8)
    private static let headerBytes = 14
    private static let subscribe: UInt32 = 2
    private static let tree: UInt32 = 4
    package static let windowEvent: UInt32 = 0x8000_0003

    static let requests = message(type: subscribe, Array(#"["window"]"#.utf8)) + message(type: tree, [])

    package static func message(type: UInt32, _ body: [UInt8]) -> [UInt8] {
        magic + bytes(UInt32(body.count)) + bytes(type) + body
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    package struct Message {
        fileprivate let type: UInt32
        package let body: [UInt8]

        /// Nil: the message names none.
        package var focusedProcess: Int32? {
            guard let json = try? JSONReader.read(body) else { return nil }
            switch type {
            case SwayStream.windowEvent: return json["change"] == .string("focus") ? json["container"]?.process : nil
            case SwayStream.tree: return json.focusedWindow?.process
            default: return nil
            }
        }
    }

    private var waiting: [UInt8] = []
    private var isMalformed = false

    package init() {}

    /// False if the sender violates the protocol.
    package mutating func take(_ bytes: ArraySlice<UInt8>) -> Bool {
        waiting += bytes
        return waiting.count <= Self.headerBytes + Self.maximumBytes && !isMalformed
    }

    package mutating func next() -> Message? {
        guard waiting.count >= Self.headerBytes else { return nil }
        let length = Int(number(at: Self.magic.count))
        guard waiting.starts(with: Self.magic), length <= Self.maximumBytes else {
            isMalformed = true
            return nil
        }
        guard waiting.count >= Self.headerBytes + length else { return nil }
        let message = Message(
            type: number(at: Self.magic.count + 4), body: Array(waiting[Self.headerBytes..<Self.headerBytes + length]))
        waiting.removeFirst(Self.headerBytes + length)
        return message
    }

    private func number(at index: Int) -> UInt32 {
        waiting.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index, as: UInt32.self) }
    }
}

extension JSONTree {
    fileprivate var process: Int32? {
        guard case .number(let process?)? = self["pid"] else { return nil }
        return Int32(exactly: process)
    }

    /// The reader bounds the depth.
    fileprivate var focusedWindow: JSONTree? {
        if self["focused"] == .boolean(true) { return self }
        for key in ["nodes", "floating_nodes"] as [ExactText] {
            guard case .list(let containers)? = self[key] else { continue }
            if let window = containers.lazy.compactMap(\.focusedWindow).first { return window }
        }
        return nil
    }
}
