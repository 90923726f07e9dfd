// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// What was shown since the user logged in, so that this program, started again, does not show it once more. In the runtime
/// folder, which is gone at log-out; numbers alone.
struct SeenOffersFile {
    private static let name = "notified"
    /// Bytes.
    private static let limit = SeenOffers.maximum * 128

    private let folder: String

    init(_ locations: Locations) { folder = locations.runtime }

    /// What cannot be read was not seen: something is shown once more.
    func read() -> SeenOffers {
        do throws(SystemError) {
            let bytes = try PrivateFolder.open(folder).read(Self.name, limit: Self.limit)
            return SeenOffers(encoded: bytes ?? [])
        } catch {
            return SeenOffers()
        }
    }

    /// Without it no more is lost than above.
    func write(_ seen: SeenOffers) {
        do throws(SystemError) {
            try PrivateFolder.make(folder).write(seen.encoded(), to: Self.name)
        } catch {
            Complaint.say("cannot keep which notifications were shown: \(error)")
        }
    }
}
