// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffCore

struct ConfigSet: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a setting in the configuration file.",
        discussion: """
            The file is config.json in the configuration folder; what else is in it stays as it is.

            \(table)
            """)

    private static var table: String {
        let rows = Setting.all.map { ("\($0.shownKey) \($0.takes)", $0.does) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \($0.padded(to: width))  \($1)" }.joined(separator: "\n")
    }

    @Argument(help: ArgumentHelp("As handoff config list shows it.", valueName: "key"))
    var key: String

    @Argument(help: ArgumentHelp("Its new value; of peer, all of them.", valueName: "value"))
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
        case .atOnce: "it counts at once"
        case .atTheDesktopsStart: "it counts when handoff-bus is started again"
        case .atItsStart: "it counts when handoffd is started again"
        }
    }
}
