// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

enum NetlinkMessage {
    private static let newLink: UInt16 = 16
    private static let deleteLink: UInt16 = 17
    private static let newAddress: UInt16 = 20
    private static let deleteAddress: UInt16 = 21
    private static let newRoute: UInt16 = 24
    private static let deleteRoute: UInt16 = 25
    private static let unicast: UInt8 = 1
    private static let localTable: UInt8 = 255
    private static let flagCloned: UInt32 = 0x200
    private static let familyIPv6: UInt8 = 10
    private static let flagTentative: UInt8 = 0x40
    private static let scopeLink: UInt8 = 253
    private static let headerBytes = 16

    static func news(in datagram: ByteBuffer) -> [InterfaceWatch.News] {
        var datagram = datagram
        var news: [InterfaceWatch.News] = []
        // struct nlmsghdr: length including the header, type, and twelve ignored bytes.
        while let length = datagram.getInteger(at: datagram.readerIndex, endianness: .host, as: UInt32.self),
            let type = datagram.getInteger(at: datagram.readerIndex + 4, endianness: .host, as: UInt16.self),
            length >= headerBytes, var message = datagram.readSlice(length: min(Int(length), datagram.readableBytes))
        {
            message.moveReaderIndex(forwardBy: min(headerBytes, message.readableBytes))
            switch type {
            case newLink, deleteLink, deleteAddress: news.append(.changed)
            case newAddress: news.append(readyLinkLocal(message).map { .linkLocalReady($0) } ?? .changed)
            case newRoute, deleteRoute: if leadsElsewhere(message) { news.append(.routes) }
            default: break
            }
            // Messages are aligned to four bytes.
            datagram.moveReaderIndex(forwardBy: min((4 - Int(length) % 4) % 4, datagram.readableBytes))
        }
        return news
    }

    /// struct ifaddrmsg: family, prefix length, flags, scope, then the returned interface.
    private static func readyLinkLocal(_ message: ByteBuffer) -> UInt32? {
        guard let fields = message.getBytes(at: message.readerIndex, length: 4),
            let interface = message.getInteger(at: message.readerIndex + 4, endianness: .host, as: UInt32.self)
        else { return nil }
        let isReady = fields[0] == familyIPv6 && fields[3] == scopeLink && fields[2] & flagTentative == 0
        return isReady ? interface : nil
    }

    /// struct rtmsg: family, two prefix lengths, service, table, origin, scope, type, then flags. False for own
    /// addresses and cached routes.
    private static func leadsElsewhere(_ message: ByteBuffer) -> Bool {
        guard let fields = message.getBytes(at: message.readerIndex, length: 8),
            let flags = message.getInteger(at: message.readerIndex + 8, endianness: .host, as: UInt32.self)
        else { return false }
        return fields[7] == unicast && fields[4] != localTable && flags & flagCloned == 0
    }
}
