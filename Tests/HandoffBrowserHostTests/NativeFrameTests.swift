// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffBrowserHost

// Shows L06 for the browser's pipe.
@Suite struct NativeFrameTests {
    private func header(_ length: UInt32) -> [UInt8] { withUnsafeBytes(of: length) { Array($0) } }

    @Test func messagesComeByteByByte() throws {
        let bytes = header(2) + Array("{}".utf8) + header(0) + header(4) + Array("null".utf8)
        var reader = NativeFrameReader()
        var bodies: [String] = []
        for byte in bytes {
            reader.append(CollectionOfOne(byte))
            while let body = try reader.next() { bodies.append(String(decoding: body, as: UTF8.self)) }
        }
        #expect(bodies == ["{}", "", "null"])
        #expect(reader.pendingBytes == 0)
    }

    @Test func manyMessagesComeAtOnce() throws {
        var reader = NativeFrameReader()
        for number in 0..<1000 { reader.append(header(3) + Array("\(100 + number % 900)".utf8)) }
        var count = 0
        while let body = try reader.next() {
            #expect(String(decoding: body, as: UTF8.self) == "\(100 + count % 900)")
            count += 1
        }
        #expect(count == 1000)
    }

    /// Before the announced bytes are read.
    @Test(arguments: [UInt32(NativeFrame.incomingBytes) + 1, 0x7FFF_FFFF, 0xFFFF_FFFF])
    func aLengthOverTheLimitIsRefusedFromItsHeaderAlone(length: UInt32) {
        var reader = NativeFrameReader()
        reader.append(header(length))
        #expect(throws: NativeFrameError(length: Int(length), limit: NativeFrame.incomingBytes)) { try reader.next() }
    }

    @Test func aLengthThatPromisesMoreThanComesIsWaitedFor() throws {
        var reader = NativeFrameReader()
        reader.append(header(100) + Array("{\"type\":\"left\"}".utf8))
        #expect(try reader.next() == nil)
        #expect(reader.pendingBytes == 4 + 15)
    }

    @Test func theLargestMessagesFit() throws {
        var reader = NativeFrameReader()
        reader.append(
            header(UInt32(NativeFrame.incomingBytes)) + Array(repeating: 32, count: NativeFrame.incomingBytes))
        #expect(try reader.next()?.count == NativeFrame.incomingBytes)
        let largest = try NativeFrame.framed(Array(repeating: 32, count: NativeFrame.outgoingBytes))
        #expect(largest.count == NativeFrame.outgoingBytes + 4)
        #expect(throws: NativeFrameError.self) {
            try NativeFrame.framed(Array(repeating: 32, count: NativeFrame.outgoingBytes + 1))
        }
    }

    /// With every text at its maximum length, in the characters that take most space in JSON.
    @Test func theLongestListFitsIntoOneMessage() throws {
        var state = HostState()
        let account = AccountID(uncheckedBytes: Array(repeating: 1, count: 32))
        let hostile = String(repeating: "\u{1F468}\u{200D}\u{1F469}", count: 400)
        for number in 0..<BrowserLimits.offersShown {
            let offer = Offer(
                activity: ActivityID(uncheckedBytes: Array(repeating: UInt8(number), count: 16)),
                type: .browsingWeb, title: DisplayText(cleaning: hostile),
                appName: DisplayText(cleaning: hostile, limit: Limits.nameCharacters), team: .personal(account),
                since: WallTime(milliseconds: 0))
            let listed = ListedActivity(
                offer: offer, device: DeviceID(uncheckedBytes: Array(repeating: 7, count: 32)),
                deviceName: DisplayText(cleaning: hostile, limit: Limits.nameCharacters), deviceKind: .laptop,
                isFromThisDevice: false, target: .webPage,
                targetName: DisplayText(cleaning: hostile, limit: Limits.nameCharacters))
            state.offers.append(try #require(ShownOffer(listed)))
        }
        #expect(try HostMessage.state(state).framed().count < NativeFrame.outgoingBytes)
    }
}
