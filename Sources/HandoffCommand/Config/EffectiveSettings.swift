// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffCore
internal import HandoffHost
internal import HandoffWire

/// The running daemon's values, else those that a daemon would read.
struct EffectiveSettings {
    enum Origin: String, Encodable {
        case flag, variable, file, account
        case `default`
    }

    struct Value {
        let value: SettingValue
        let origin: Origin
    }

    private let status: DaemonStatus?
    private let overrides: [String: Value]

    /// `status`: nil if no daemon answers.
    init(_ status: DaemonStatus?) {
        self.status = status
        var overrides: [String: Value] = [:]
        for setting in Setting.all {
            for origin in [Origin.variable, .flag] {
                guard let text = status?.text(of: origin.rawValue + setting.key.capitalizedFirst) else { continue }
                overrides[setting.key] = Value(value: setting.value(reported: text), origin: origin)
            }
        }
        self.overrides = overrides
    }

    /// `inFile`: nil if the file does not set it. Nil if nothing is known.
    func value(of setting: Setting, inFile value: SettingValue?) -> Value? {
        if let override = overrides[setting.key] { return override }
        if let value { return Value(value: value, origin: .file) }
        let standard: String? =
            switch setting {
            case .name: status?.deviceName.text ?? MachineName().text
            case .listen: status.flatMap { $0.listening.isEmpty ? nil : $0.listening }
            default: setting.standard
            }
        let origin = setting == .name && status?.account != nil ? Origin.account : .default
        return standard.map { Value(value: .text($0), origin: origin) }
    }

    /// The reason why `value` is nil.
    func absence(of setting: Setting, _ key: String) -> String {
        setting == .listen && status == nil
            ? "\(key) is not set, and no handoffd answers to report the address it uses"
            : "\(key) is not set, and has no default"
    }
}

extension CommonOptions {
    /// Settings can still be read if no daemon answers.
    var effectiveSettings: EffectiveSettings { EffectiveSettings(try? connect().status()) }
}

extension Setting {
    fileprivate func value(reported text: String) -> SettingValue {
        switch form {
        case .trueOrFalse: .flag(text == "true")
        case .addresses: .texts(text.split(separator: " ").map(String.init))
        case .name, .choice, .time, .address: .text(text)
        }
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
