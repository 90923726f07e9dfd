// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// The offers shown since login, so that a restart does not show them again. It is in the runtime folder, which is
/// deleted at logout, and contains only numbers.
struct SeenOffersFile {
    private static let name = "notified"
    /// Bytes.
    private static let limit = SeenOffers.maximum * 128

    private let folder: String

    init(_ locations: Locations) { folder = locations.runtime }

    /// If the file cannot be read, offers may be shown twice.
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
