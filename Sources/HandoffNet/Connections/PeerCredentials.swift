// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem

struct PeerCredentials: Equatable {
    var processID: Int32
    var userID: UInt32
    /// Nil if the process has ended.
    var program: RunningProgram?

    /// `struct ucred`, not visible to Swift: three 32-bit numbers.
    init?(socket: Int32, certainty: PeerCertainty = .here) {
        var fields: (pid: Int32, uid: UInt32, gid: UInt32) = (0, 0, 0)
        guard Self.get(SO_PEERCRED, of: socket, into: &fields) else { return nil }
        processID = fields.pid
        userID = fields.uid
        program = Self.program(of: fields.pid, socket: socket, certainty)
    }

    private static func program(
        of processID: Int32, socket: Int32, _ certainty: PeerCertainty
    ) -> RunningProgram? {
        let process: ProcessDescriptor? =
            switch certainty {
            case .held: ProcessDescriptor(peerOf: socket)
            case .opened: ProcessDescriptor(of: processID)
            case .number: nil
            }
        // The process has ended; its number may be reused.
        guard process != nil || certainty == .number else { return nil }
        guard let file = ProcessFile(of: processID, heldBy: process) else { return nil }
        return RunningProgram(path: file.path, device: file.device, inode: file.inode)
    }

    fileprivate static func get<Value: BitwiseCopyable>(
        _ option: Int32, of socket: Int32, into value: inout Value
    ) -> Bool {
        var length = socklen_t(MemoryLayout<Value>.size)
        return withUnsafeMutableBytes(of: &value) { bytes in
            getsockopt(socket, SOL_SOCKET, option, bytes.baseAddress, &length)
        } == 0
    }
}

/// How reliably a connecting process is distinguished from a later one with its number.
package enum PeerCertainty: String, Sendable {
    /// The kernel's descriptor of the process, since Linux 6.5.
    case held
    /// A descriptor, opened by number moments after the connection.
    case opened
    /// Only the number, before Linux 5.3.
    case number

    package static let here: PeerCertainty = {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return .number }
        defer { for end in ends { close(end) } }
        if ProcessDescriptor(peerOf: ends[0]) != nil { return .held }
        return ProcessDescriptor(of: getpid()) == nil ? .number : .opened
    }()
}

extension ProcessDescriptor {
    /// Not in the headers of glibc 2.36.
    private static let peerProcessDescriptor: Int32 = 77

    /// Nil if the process has ended, or before Linux 6.5.
    fileprivate init?(peerOf socket: Int32) {
        var descriptor: Int32 = -1
        guard PeerCredentials.get(Self.peerProcessDescriptor, of: socket, into: &descriptor), descriptor >= 0 else {
            return nil
        }
        self.init(taking: descriptor)
    }
}
