// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// The settings of config.json that this program goes by, now and whenever somebody changes them.
final class SettingsWatch {
    private let file: UserFile
    private let folder: FolderWatch
    private var watch: LoopWatch?
    private let changed: (NotificationSettings) -> Void

    private(set) var settings = NotificationSettings()

    /// `changed` is called on the loop.
    init(_ locations: Locations, on loop: BusLoop, changed: @escaping (NotificationSettings) -> Void) {
        file = UserFile(path: locations.configurationFile)
        folder = FolderWatch(folder: locations.configuration, for: .changes)
        self.changed = changed
        read()
        guard !folder.isBlind else { return }
        watch = try? loop.watch(folder.descriptor) { [unowned self] in
            // It can be read, so this does not wait.
            guard folder.waitForChange() else { return watch = nil }
            let before = settings
            read()
            if settings != before { self.changed(settings) }
        }
    }

    /// What cannot be understood changes nothing, and is said: a slip must not switch on what was off.
    private func read() {
        do {
            let bytes = try file.read(limit: ConfigurationFile.limit)
            settings = try NotificationSettings(ConfigurationFile(bytes, path: file.path))
        } catch {
            Complaint.say("\(error)")
        }
    }
}
