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
        output.show(ShownSetting(setting, key: key, .init(value: value, origin: .file), isSet: true))
        output.note(setting.effect.sentence)
        configuration.noteChange(output)
    }
}

extension Setting.Effect {
    var sentence: String {
        switch self {
        case .atOnce: "it takes effect immediately"
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
            let standard = setting.standard.map { EffectiveSettings.Value(value: .text($0), origin: .default) }
            output.show(ShownSetting(setting, key: key, standard, isSet: false))
            if wasSet { output.note(setting.effect.sentence) }
        }
        if wasSet { configuration.noteChange(output) }
    }
}

struct ConfigGet: Verb {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show the value of one setting.",
        discussion: """
            This is the value that the running daemon uses, or will use after a restart if the file has changed. Prints nothing if \
            the setting has neither a value nor a default.
            """)

    @Argument(
        help: ArgumentHelp("The key, as handoff config list shows it.", valueName: "key"),
        completion: Completion.settings)
    var key: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let (setting, key) = try Configuration.setting(key)
        let file = try Configuration(common.files).read()
        let inFile = try Configuration.checking(.failed) { () throws(SettingsError) in try file.value(of: setting, key)
        }
        let settings = common.effectiveSettings
        let value = settings.value(of: setting, inFile: inFile)
        output.show(ShownSetting(setting, key: key, value, isSet: inFile != nil))
        if value == nil { output.note(settings.absence(of: setting, key)) }
    }
}

struct ConfigList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the settings and their values.",
        discussion: """
            Flags and environment variables of handoffd override the file; the running daemon reports them. The name of a \
            device in an account is the account's, unless it is set.
            """)

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let file = try Configuration(common.files).read()
        let found = try Configuration.checking(.failed, file.settings)
        let settings = common.effectiveSettings
        let rows = Setting.all.flatMap { setting in
            let set = found.filter { $0.setting == setting }
            guard !set.isEmpty else {
                let value = settings.value(of: setting, inFile: nil)
                return [ShownSetting(setting, key: setting.shownKey, value, isSet: false)]
            }
            return set.map { setting, key, inFile in
                ShownSetting(setting, key: key, settings.value(of: setting, inFile: inFile), isSet: true)
            }
        }
        output.show(Listing(rows, ifEmpty: ""))
        for unknown in file.unknownSettings { output.note("handoff: \(unknown); it is ignored") }
    }
}
