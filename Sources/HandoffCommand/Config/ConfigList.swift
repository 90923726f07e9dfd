// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffCore

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
