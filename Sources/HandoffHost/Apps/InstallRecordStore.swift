// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffTrust
internal import HandoffWire

/// The records of installed bundles on disk, in a folder of their own. Written by whoever holds the lock of the apps
/// folder; read by anyone.
struct InstallRecordStore {
    private static let file = "records"
    private let directory: String

    /// `directory` is `Locations.installs`, made where it is missing before the first write.
    init(directory: String) { self.directory = directory }

    private var path: String { directory + "/" + Self.file }

    /// None where nothing was installed yet. Throws `.malformed` for a damaged file: what it held is not to be guessed.
    func read() throws(Failure) -> InstallRecords {
        guard access(directory, F_OK) == 0,
            let bytes = try DirectoryStateStore(directory: directory, isOnlyWriter: false).read(Self.file)
        else { return InstallRecords() }
        do throws(InstallRecords.Damage) {
            return try InstallRecords(bytes: bytes)
        } catch {
            throw Failure(
                .malformed,
                "\(path) is damaged: \(error.rawValue). Put a copy of it back, or remove it and install the apps again")
        }
    }

    /// On disk when it returns.
    func write(_ records: InstallRecords) throws(Failure) {
        try DirectoryStateStore(directory: directory).write(records.encoded, to: Self.file)
    }
}
