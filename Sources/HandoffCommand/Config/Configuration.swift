// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

struct Configuration {
    let files: DaemonFiles
    private var path: String { files.locations.configurationFile }

    init(_ files: DaemonFiles) { self.files = files }

    /// Warns if no daemon confirmed that it reads the file.
    func noteChange(_ output: Output) { files.noteChange(of: path, output) }

    func read() throws(CommandFailure) -> ConfigurationFile {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try UserFile(path: path).read(limit: ConfigurationFile.limit)
        } catch {
            throw Self.failure(error)
        }
        return try Self.checking(.failed) { () throws(SettingsError) in try ConfigurationFile(bytes, path: path) }
    }

    /// An invalid file is rejected, and stays unchanged.
    func change(_ body: (inout ConfigurationFile) -> Void) throws(CommandFailure) {
        let result: Result<Void, SettingsError>
        do throws(SystemError) {
            result = try UserFile(path: path).change(limit: ConfigurationFile.limit) { bytes in
                ConfigurationFile.changed(bytes, path: path, body)
            }
        } catch {
            throw Self.failure(error)
        }
        try Self.checking(.failed) { () throws(SettingsError) in try result.get() }
    }

    /// Throws with a similar setting, if there is one.
    static func setting(_ typed: String) throws(CommandFailure) -> (setting: Setting, key: String) {
        guard let found = Setting.find(typed) else { throw .usage("\(UnknownSetting(typed))") }
        return found
    }

    /// `status`: by default for an invalid argument, otherwise for an invalid file.
    static func checking<Value>(
        _ status: ExitStatus = .usage, _ body: () throws(SettingsError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(SettingsError) {
            return try body()
        } catch {
            throw CommandFailure(status, code: status == .usage ? "usage" : "configurationFile", error.description)
        }
    }

    private static func failure(_ error: SystemError) -> CommandFailure {
        CommandFailure(.failed, code: "configurationFile", error.description)
    }
}
