// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffTrust
internal import HandoffWire

/// Only the holder of the apps folder's lock may write.
struct InstallRecordStore {
    private static let file = "records"
    private let directory: String

    /// `directory` is `Locations.installs`, created before the first write.
    init(directory: String) { self.directory = directory }

    private var path: String { directory + "/" + Self.file }

    /// Throws `.malformed` for a damaged file, whose content must not be guessed.
    func read() throws(Failure) -> InstallRecords {
        guard access(directory, F_OK) == 0,
            let bytes = try DirectoryStateStore(directory: directory, isOnlyWriter: false).read(Self.file)
        else { return InstallRecords() }
        do throws(InstallRecords.Damage) {
            return try InstallRecords(bytes: bytes)
        } catch {
            throw Failure(
                .malformed,
                "\(path) is damaged: \(error.rawValue). Restore a copy of it, or remove it and install the apps again")
        }
    }

    /// Syncs.
    func write(_ records: InstallRecords) throws(Failure) {
        try DirectoryStateStore(directory: directory).write(records.encoded, to: Self.file)
    }
}
