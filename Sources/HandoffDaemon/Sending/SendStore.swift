// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
import HandoffWire
import Logging

/// One file per activity that waits to be sent, or was sent here.
struct SendStore {
    /// Prefix of a damaged file, which stays for manual inspection.
    static let unreadable = "unreadable-"

    enum Place {
        case waiting(ActivityID)
        /// Another device may choose the same ID.
        case taken(ActivityID, from: DeviceID)

        fileprivate static let waitingPrefix = "sending-"
        fileprivate static let takenPrefix = "received-"

        fileprivate var file: String {
            switch self {
            case .waiting(let activity): "\(Self.waitingPrefix)\(activity.hex)"
            case .taken(let activity, let device): "\(Self.takenPrefix)\(device.hex)-\(activity.hex)"
            }
        }
    }

    let store: any StateStore
    let log: Logger

    func loadWaiting() throws(Failure) -> [StoredSend] {
        try load(Place.waitingPrefix) { .waiting($0.activity) }
    }

    func loadTaken() throws(Failure) -> [StoredSend] {
        try load(Place.takenPrefix) { .taken($0.activity, from: $0.device) }
    }

    /// Puts damaged files aside.
    private func load(_ prefix: String, place: (StoredSend) -> Place) throws(Failure) -> [StoredSend] {
        var found: [StoredSend] = []
        for file in try store.names() where file.hasPrefix(prefix) {
            guard let bytes = try store.read(file) else { continue }
            if let stored = try? StoredSend(encoded: bytes), file == place(stored).file {
                found.append(stored)
            } else {
                try putAside(bytes, file)
            }
        }
        return found
    }

    private func putAside(_ bytes: [UInt8], _ file: String) throws(Failure) {
        try store.write(bytes, to: Self.unreadable + file)
        try store.remove(file)
        log.error(
            "A file of a sent activity is damaged and was set aside", metadata: ["file": "\(Self.unreadable)\(file)"])
    }

    func put(_ stored: StoredSend, at place: Place, then: @escaping (Failure?) -> Void) {
        do throws(WireError) {
            store.write(try stored.encoded(), to: place.file, then: then)
        } catch {
            then(Failure(.internal, error.reason))
        }
    }

    /// Removes the file if it cannot be replaced. Calls `then` once either is on disk.
    func put(_ stored: StoredSend, inPlaceOf place: Place, then: @escaping () -> Void = {}) {
        guard let bytes = try? stored.encoded() else {
            remove(place)
            return then()
        }
        store.write(bytes, to: place.file) { failure in
            if let failure {
                log.warning("The end of a sent activity could not be saved", metadata: ["reason": "\(failure)"])
                remove(place)
            }
            then()
        }
    }

    /// Throws `.internal` without a readable file.
    func activity(at place: Place) throws(Failure) -> SentActivity {
        guard let bytes = try store.read(place.file), let stored = try? StoredSend(encoded: bytes),
            case .activity(let sent) = stored.content
        else {
            throw Failure(.internal, "the file of the activity cannot be read")
        }
        return sent
    }

    func remove(_ place: Place) {
        do throws(Failure) { try store.remove(place.file) } catch {
            log.warning("The file of a sent activity could not be removed", metadata: ["reason": "\(error)"])
        }
    }
}

package enum SendingLimits {
    /// For all devices, including refused sends.
    static let waiting = 32
    /// Per device, at most 4 MiB on disk. A member other than the founder shares it with the devices that it admitted,
    /// directly or indirectly.
    static let keptOfDevice = 16
    package static let kept = 64
    /// Remembered IDs. One would suffice, because a device hands over one activity at a time.
    static let endedOfDevice = 16
    /// For waiting, for being kept there, and for remembering the ID afterwards. An earlier expiration date takes
    /// precedence.
    static let keptFor: Duration = .seconds(7 * 24 * 3600)
    static let handOver: Duration = .seconds(10)
    /// After a device could not take an activity, in the same session.
    static let retry: Duration = .seconds(600)
    package static let arrivals = PaceLimit(burst: keptOfDevice, spacing: .seconds(10))
}
