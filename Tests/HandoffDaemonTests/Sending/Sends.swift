// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire

@testable import HandoffDaemon

enum Sends {
    static let laptop = DeviceID(uncheckedBytes: Array(repeating: 1, count: 32))
    static let desktop = DeviceID(uncheckedBytes: Array(repeating: 2, count: 32))
    static let tablet = DeviceID(uncheckedBytes: Array(repeating: 3, count: 32))
    static let type = try! ActivityType("com.example.editing")
    static let noon = WallTime(milliseconds: 1_800_000_000_000)

    static func id(_ number: Int) -> ActivityID {
        ActivityID(
            uncheckedBytes: withUnsafeBytes(of: number.bigEndian) { Array($0) } + [UInt8](repeating: 0, count: 8))
    }

    static func offer(_ number: Int, expires: WallTime? = nil) -> Offer {
        Offer(
            activity: id(number), type: type, title: DisplayText(cleaning: "Letter"),
            bundle: try! BundleID("com.example.editor"), appName: DisplayText(cleaning: "Editor"),
            team: .made("ABCDE12345"), supportsStreams: true, since: noon, expires: expires)
    }

    static func state(_ userInfo: Value = .dictionary([:])) -> ActivityState {
        ActivityState(type: type, title: "Letter", userInfo: try! userInfo.encoded(), supportsStreams: true)
    }

    static func arriving(_ number: Int, expires: WallTime? = nil) -> Offer {
        var offer = offer(number, expires: expires)
        offer.supportsStreams = false
        return offer
    }
}
