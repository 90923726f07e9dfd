// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffCore

struct ConfigUnset: Verb {
    static let configuration = CommandConfiguration(
        commandName: "unset", abstract: "Remove a setting from the configuration file.",
        discussion: "The default applies again. Unknown keys can be removed too.")

    @Argument(help: ArgumentHelp("The key, as handoff config list shows it.", valueName: "key"))
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
