// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffSystem
import HandoffWire

/// Since login, to survive a restart. In the runtime folder, which is deleted at logout; contains only numbers.
struct SeenOffersFile {
    private static let name = "notified"
    /// Bytes.
    private static let limit = SeenOffers.maximum * 128

    private let folder: String

    init(_ locations: Locations) { folder = locations.runtime }

    /// If it cannot be read, offers may be shown twice.
    func read() -> SeenOffers {
        do throws(SystemError) {
            let bytes = try PrivateFolder.open(folder).read(Self.name, limit: Self.limit)
            return SeenOffers(encoded: bytes ?? [])
        } catch {
            return SeenOffers()
        }
    }

    func write(_ seen: SeenOffers) {
        do throws(SystemError) {
            try PrivateFolder.make(folder).write(seen.encoded(), to: Self.name)
        } catch {
            Complaint.say("cannot save the list of shown notifications: \(error)")
        }
    }
}

struct SeenOffers: Hashable, Sendable {
    /// All devices together can offer this many.
    static let maximum = 256

    private var order: [OfferKey] = []
    private var keys: Set<OfferKey> = []

    init() {}

    func contains(_ key: OfferKey) -> Bool { keys.contains(key) }

    mutating func insert(_ key: OfferKey) -> Bool {
        guard keys.insert(key).inserted else { return false }
        order.append(key)
        if order.count > Self.maximum { keys.remove(order.removeFirst()) }
        return true
    }

    // MARK: The file, one line each

    func encoded() -> [UInt8] {
        Array(order.map { "\($0.device.hex) \($0.activity.hex)\n" }.joined().utf8)
    }

    /// Skips invalid lines: at worst, a notification is repeated.
    init(encoded bytes: [UInt8]) {
        let lines = String(decoding: bytes.prefix(Self.maximum * 128), as: UTF8.self).split(separator: "\n")
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 2, let device = try? DeviceID(hex: words[0]),
                let activity = try? ActivityID(hex: words[1])
            else { continue }
            _ = insert(OfferKey(device: device, activity: activity))
        }
    }
}
