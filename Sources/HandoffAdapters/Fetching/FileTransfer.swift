// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffCore
import HandoffSystem
import HandoffWire

/// Everything here blocks.
enum FileTransfer {
    /// Seconds without a byte, after which a transfer ends.
    static let patience = 30
    static let maximumCopies = 100
    static let noRoom = "org.handoff.Error.DocumentNotPlaced"

    /// Returns the number of bytes sent. Nil if the file cannot be read, or the other side left.
    static func send(_ file: AbsolutePath, to socket: SharedDescriptor) -> UInt64? {
        var status = stat()
        guard let file = try? OpenFile.open(following: file.bytes, O_RDONLY | O_NONBLOCK),
            fstat(file.descriptor, &status) == 0, status.kind == S_IFREG
        else { return nil }
        let bytes = Int64(status.st_size)
        limitWaiting(on: socket)
        var sent: Int64 = 0
        while sent < bytes {
            let count = retrying { sendfile(socket.number, file.descriptor, nil, Int(min(bytes - sent, 1 << 20))) }
            guard count > 0 else { return nil }
            sent += Int64(count)
        }
        return UInt64(sent)
    }

    /// Returns the path of a new file in `folder`.
    static func receive(
        _ bytes: Int64, from socket: SharedDescriptor, as name: String, of device: String, in folder: String,
        arrived: ByteCounter = ByteCounter()
    ) throws(BusFailure) -> String {
        do throws(ArrivingFile.Refusal) {
            let file = try newFile(name, of: device, in: folder)
            try file.reserve(bytes)
            if try read(bytes, from: socket, into: file, arrived) {
                try file.finish()
                return file.path
            }
        } catch {
            throw BusFailure(error.kind == .noRoom ? noRoom : BusFailure.failed, error.reason)
        }
        throw BusFailure(BusFailure.failed, "the other device did not send the whole file")
    }

    /// False: another number of bytes arrived.
    private static func read(
        _ bytes: Int64, from socket: SharedDescriptor, into file: ArrivingFile, _ arrived: ByteCounter
    ) throws(ArrivingFile.Refusal) -> Bool {
        limitWaiting(on: socket)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = retrying { Glibc.read(socket.number, buffer.baseAddress, buffer.count) }
            if count == 0 { break }
            arrived.add(max(0, count))
            guard count > 0, arrived.value <= bytes else { return false }
            try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        return arrived.value == bytes
    }

    private static func newFile(
        _ name: String, of device: String, in folder: String
    ) throws(ArrivingFile.Refusal) -> ArrivingFile {
        var number = 1
        while true {
            do throws(ArrivingFile.Refusal) {
                let path = folder + "/" + copyName(of: name, from: device, number: number)
                return try ArrivingFile(at: path, replacing: false)
            } catch {
                guard error.kind == .exists, number < maximumCopies else { throw error }
                number += 1
            }
        }
    }

    private static func limitWaiting(on socket: SharedDescriptor) {
        let flags = fcntl(socket.number, F_GETFL)
        _ = fcntl(socket.number, F_SETFL, flags & ~O_NONBLOCK)
        var time = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            setsockopt(socket.number, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// `name`: without a folder.
    static func copyName(of name: String, from device: String, number: Int) -> String {
        let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
        let shown = device.filter { $0 != "/" && $0 != "\0" }
        let label = shown.isEmpty ? " (copy" : " (from \(shown)"
        let end = (number == 1 ? ")" : " \(number))") + name[dot...]
        var begin = name[..<dot] + label
        while begin.utf8.count + end.utf8.count > Int(NAME_MAX), !begin.isEmpty { begin.removeLast() }
        return String(begin + end)
    }
}
