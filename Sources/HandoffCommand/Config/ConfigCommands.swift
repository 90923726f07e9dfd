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

    @Argument(
        help: ArgumentHelp("The key, as handoff config list shows it.", valueName: "key"),
        completion: Completion.settings)
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

struct ConfigUnset: Verb {
    static let configuration = CommandConfiguration(
        commandName: "unset", abstract: "Remove a setting from the configuration file.",
        discussion: "The default applies again. Unknown keys can be removed too.")

    @Argument(
        help: ArgumentHelp("The key, as handoff config list shows it.", valueName: "key"),
        completion: Completion.settings)
    var key: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let known = Setting.find(key)
        var wasSet = false
        let configuration = Configuration(common.files)
        try configuration.change { wasSet = $0.unset(known?.key ?? key) }
        guard wasSet || known != nil else { throw CommandFailure.usage("\(UnknownSetting(key))") }
        if let (setting, key) = known {
            output.show(ShownSetting(setting, key: key, nil))
            if wasSet { output.note(setting.effect.sentence) }
        }
        if wasSet { configuration.noteChange(output) }
    }
}

struct ConfigGet: Verb {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show the value of one setting.",
        discussion: "Prints nothing if the setting has neither a value nor a default.")

    @Argument(
        help: ArgumentHelp("The key, as handoff config list shows it.", valueName: "key"),
        completion: Completion.settings)
    var key: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let (setting, key) = try Configuration.setting(key)
        let file = try Configuration(common.files).read()
        let value = try Configuration.checking(.failed) { () throws(SettingsError) in try file.value(of: setting, key) }
        output.show(ShownSetting(setting, key: key, value))
    }
}

struct ConfigList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the settings and their values.",
        discussion: "Flags and environment variables of handoffd override the file.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let file = try Configuration(common.files).read()
        let found = try Configuration.checking(.failed, file.settings)
        let rows = Setting.all.flatMap { setting in
            let set = found.filter { $0.setting == setting }
            return set.isEmpty
                ? [ShownSetting(setting, key: setting.shownKey, nil)]
                : set.map { ShownSetting(setting, key: $0.key, $0.value) }
        }
        output.show(Listing(rows, ifEmpty: ""))
        for unknown in file.unknownSettings { output.note("handoff: \(unknown); it is ignored") }
    }
}
