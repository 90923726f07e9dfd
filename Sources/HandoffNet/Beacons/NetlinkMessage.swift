// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// The few words of rtnetlink that matter here.
enum NetlinkMessage {
    private static let newLink: UInt16 = 16
    private static let deleteLink: UInt16 = 17
    private static let newAddress: UInt16 = 20
    private static let deleteAddress: UInt16 = 21
    private static let familyIPv6: UInt8 = 10
    private static let flagTentative: UInt8 = 0x40
    private static let scopeLink: UInt8 = 253
    private static let headerBytes = 16

    static func news(in datagram: ByteBuffer) -> [InterfaceWatch.News] {
        var datagram = datagram
        var news: [InterfaceWatch.News] = []
        // struct nlmsghdr: length with the header, type, and twelve bytes of no interest.
        while let length = datagram.getInteger(at: datagram.readerIndex, endianness: .host, as: UInt32.self),
            let type = datagram.getInteger(at: datagram.readerIndex + 4, endianness: .host, as: UInt16.self),
            length >= headerBytes, var message = datagram.readSlice(length: min(Int(length), datagram.readableBytes))
        {
            message.moveReaderIndex(forwardBy: min(headerBytes, message.readableBytes))
            switch type {
            case newLink, deleteLink, deleteAddress: news.append(.changed)
            case newAddress: news.append(isReadyLinkLocal(message) ? .linkLocalReady : .changed)
            default: break
            }
            // Messages start at multiples of four.
            datagram.moveReaderIndex(forwardBy: min((4 - Int(length) % 4) % 4, datagram.readableBytes))
        }
        return news
    }

    /// struct ifaddrmsg: family, prefix length, flags, scope, then the interface's number.
    private static func isReadyLinkLocal(_ message: ByteBuffer) -> Bool {
        guard let fields = message.getBytes(at: message.readerIndex, length: 4) else { return false }
        return fields[0] == familyIPv6 && fields[3] == scopeLink && fields[2] & flagTentative == 0
    }
}
