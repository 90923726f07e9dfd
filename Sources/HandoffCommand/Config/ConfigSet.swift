// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffCore

struct ConfigSet: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting in the configuration file.",
        discussion: """
            The file is config.json in the configuration folder. Its other content is left unchanged.

            \(table)
            """)

    private static var table: String {
        let rows = Setting.all.map { ("\($0.shownKey) \($0.takes)", $0.does) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \($0.padded(to: width))  \($1)" }.joined(separator: "\n")
    }

    @Argument(help: ArgumentHelp("The key, as handoff config list shows it.", valueName: "key"))
    var key: String

    @Argument(help: ArgumentHelp("The new value; for peer, the complete list.", valueName: "value"))
    var values: [String]

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let (setting, key) = try Configuration.setting(key)
        let value = try Configuration.checking { () throws(SettingsError) in
            try setting.value(typed: values, as: key)
        }
        let configuration = Configuration(common.files)
        try configuration.change { $0.set(key, to: value) }
        output.show(ShownSetting(setting, key: key, value))
        output.note(setting.effect.sentence)
        configuration.noteChange(output)
    }
}

extension Setting.Effect {
    var sentence: String {
        switch self {
        case .atOnce: "it takes effect immediately"
        case .atTheDesktopsStart: "it takes effect when handoff-bus is restarted"
        case .atItsStart: "it takes effect when handoffd is restarted"
        }
    }
}
