// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffSystem
import HandoffWire

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

    /// An invalid file stays unchanged.
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

    static func setting(_ typed: String) throws(CommandFailure) -> (setting: Setting, key: String) {
        guard let found = Setting.find(typed) else { throw .usage("\(UnknownSetting(typed))") }
        return found
    }

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

struct ShownSetting: Listed {
    static let columns: [Table.Column] = ["KEY", .elastic("VALUE"), "FROM"]

    let key: String
    private let value: SettingValue?
    private let from: EffectiveSettings.Origin?
    /// In the file.
    private let isSet: Bool
    private let takes: String
    private let does: String
    private let effect: Setting.Effect

    private enum CodingKeys: CodingKey { case key, value, from, isSet, takes, does, counts }

    init(_ setting: Setting, key: String, _ effective: EffectiveSettings.Value?, isSet: Bool) {
        self.key = key
        value = effective?.value
        from = effective?.origin
        self.isSet = isSet
        takes = setting.takes
        does = setting.does
        effect = setting.effect
    }

    var cells: [String] { [key, value?.description ?? "-", from?.rawValue ?? "-"] }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(key, forKey: .key)
        switch value {
        case .text(let text)?: try object.encode(text, forKey: .value)
        case .flag(let flag)?: try object.encode(flag, forKey: .value)
        case .texts(let texts)?: try object.encode(texts, forKey: .value)
        case nil: break
        }
        try object.encodeIfPresent(from, forKey: .from)
        try object.encode(isSet, forKey: .isSet)
        try object.encode(takes, forKey: .takes)
        try object.encode(does, forKey: .does)
        try object.encode(effect.name, forKey: .counts)
    }
}

extension ShownSetting: Renderable {
    func text(_ terminal: Terminal) -> String { value?.description ?? "" }
}

extension Setting.Effect {
    fileprivate var name: String {
        switch self {
        case .atOnce: "atOnce"
        case .atItsStart: "atStart"
        }
    }
}
