// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import Logging

/// Activities that are sent, or were sent here, on disk, a file each.
struct SendShelf {
    /// Before the name of a file that could not be read. It stays for whoever can make something of it.
    static let unreadable = "unreadable-"

    enum Place {
        /// Here, for its device.
        case waiting(ActivityID)
        /// Another device may choose the same id.
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

    /// Throws if the folder cannot be listed or a file cannot be read at all. A file with damaged content is put aside.
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
        log.error("A file of a sent activity is damaged; put aside", metadata: ["file": "\(Self.unreadable)\(file)"])
    }

    /// `then` is given nil once it is on disk.
    func put(_ stored: StoredSend, at place: Place, then: @escaping (Failure?) -> Void) {
        do throws(WireError) {
            store.write(try stored.encoded(), to: place.file, then: then)
        } catch {
            then(Failure(.internal, error.reason))
        }
    }

    /// In place of what is there. If that cannot be written, what is there goes. `then` is called once either is on disk.
    func put(_ stored: StoredSend, inPlaceOf place: Place, then: @escaping () -> Void = {}) {
        guard let bytes = try? stored.encoded() else {
            remove(place)
            return then()
        }
        store.write(bytes, to: place.file) { failure in
            if let failure {
                log.warning("The end of a sent activity could not be noted", metadata: ["reason": "\(failure)"])
                remove(place)
            }
            then()
        }
    }

    /// With its state. Throws `.internal` where there is none that can be read.
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
