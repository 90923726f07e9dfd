// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffCore

struct ConfigGet: Verb {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show the value of one setting.",
        discussion: "Prints nothing if the setting has neither a value nor a default.")

    @Argument(help: ArgumentHelp("The key, as handoff config list shows it.", valueName: "key"))
    var key: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let (setting, key) = try Configuration.setting(key)
        let file = try Configuration(common.files).read()
        let value = try Configuration.checking(.failed) { () throws(SettingsError) in try file.value(of: setting, key) }
        output.show(ShownSetting(setting, key: key, value))
    }
}
