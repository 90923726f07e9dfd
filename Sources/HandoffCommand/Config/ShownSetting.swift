// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore

struct ShownSetting: Listed {
    static let columns: [Table.Column] = ["KEY", .elastic("VALUE"), "FROM"]

    let key: String
    private let value: SettingValue?
    private let standard: String?
    private let takes: String
    private let does: String
    private let effect: Setting.Effect

    private enum CodingKeys: CodingKey { case key, value, isSet, takes, does, counts }

    /// `value`: nil if the file does not set it.
    init(_ setting: Setting, key: String, _ value: SettingValue?) {
        self.key = key
        self.value = value
        standard = setting.standard
        takes = setting.takes
        does = setting.does
        effect = setting.effect
    }

    var cells: [String] { [key, value?.description ?? standard ?? "-", value == nil ? "-" : "file"] }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(key, forKey: .key)
        switch value {
        case .text(let text)?: try object.encode(text, forKey: .value)
        case .flag(let flag)?: try object.encode(flag, forKey: .value)
        case .texts(let texts)?: try object.encode(texts, forKey: .value)
        case nil: try object.encodeIfPresent(standard, forKey: .value)
        }
        try object.encode(value != nil, forKey: .isSet)
        try object.encode(takes, forKey: .takes)
        try object.encode(does, forKey: .does)
        try object.encode(effect.name, forKey: .counts)
    }
}

extension ShownSetting: Renderable {
    func text(_ terminal: Terminal) -> String { value?.description ?? standard ?? "" }
}

extension Setting.Effect {
    fileprivate var name: String {
        switch self {
        case .atOnce: "atOnce"
        case .atItsStart: "atStart"
        case .atTheDesktopsStart: "atDesktopStart"
        }
    }
}
