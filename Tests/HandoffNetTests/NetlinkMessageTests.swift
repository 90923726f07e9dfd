// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import HandoffNet

@Suite struct NetlinkMessageTests {
    private func message(type: UInt16, body: [UInt8]) -> [UInt8] {
        var buffer = ByteBuffer()
        buffer.writeInteger(UInt32(16 + body.count), endianness: .host)
        buffer.writeInteger(type, endianness: .host)
        buffer.writeRepeatingByte(0, count: 10)
        buffer.writeBytes(body)
        while buffer.readableBytes % 4 != 0 { buffer.writeInteger(UInt8(0)) }
        return Array(buffer.readableBytesView)
    }

    private let tentative: [UInt8] = [10, 64, 0x40, 253, 2, 0, 0, 0]
    private let ready: [UInt8] = [10, 64, 0, 253, 2, 0, 0, 0]

    @Test func tellsWhenALinkLocalAddressMayBeUsed() {
        #expect(NetlinkMessage.news(in: ByteBuffer(bytes: message(type: 20, body: tentative))) == [.changed])
        #expect(NetlinkMessage.news(in: ByteBuffer(bytes: message(type: 20, body: ready))) == [.linkLocalReady(2)])
    }

    @Test func readsSeveralFromOneDatagramAndPassesOverTheRest() {
        let bytes = message(type: 16, body: [1, 2, 3]) + message(type: 24, body: []) + message(type: 20, body: ready)
        #expect(NetlinkMessage.news(in: ByteBuffer(bytes: bytes)) == [.changed, .linkLocalReady(2)])
    }

    // Shows Q05.
    @Test(arguments: [24, 25] as [UInt16])
    func waysToOtherMachinesAreNews(type: UInt16) {
        // struct rtmsg: IPv4, /24, main table, link scope; its type, then flags.
        func news(table: UInt8, type kind: UInt8, flags: UInt32) -> [InterfaceWatch.News] {
            let flags = withUnsafeBytes(of: flags, Array.init)
            let body: [UInt8] = [2, 24, 0, 0, table, 3, 253, kind] + flags
            return NetlinkMessage.news(in: ByteBuffer(bytes: message(type: type, body: body)))
        }
        #expect(news(table: 254, type: 1, flags: 0) == [.routes])
        // This machine's addresses, broadcasts, and the kernel's cached routes.
        #expect(news(table: 255, type: 2, flags: 0) == [])
        #expect(news(table: 254, type: 3, flags: 0) == [])
        #expect(news(table: 254, type: 1, flags: 0x200) == [])
    }

    @Test(
        arguments: [[], [1], [0, 0, 0, 0, 16, 0], [255, 255, 255, 255, 20, 0], [17, 0, 0, 0, 20, 0, 0, 0]] as [[UInt8]])
    func standsDamage(_ bytes: [UInt8]) {
        #expect(NetlinkMessage.news(in: ByteBuffer(bytes: bytes)).count <= 1)
    }
}
