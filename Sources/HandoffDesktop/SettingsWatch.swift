// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffSystem
import HandoffWire

final class SettingsWatch {
    /// Without inotify watches.
    static let lookAgain = Duration.seconds(30)

    private var file: UserFile
    private let loop: BusLoop
    private let makeWatch: (String) -> FileWatch
    private let lookAgain: Duration
    private var observers: [(DesktopSettings) -> Void] = []
    private var watch: FileWatch
    private var waiting: LoopWatch?

    private(set) var settings = DesktopSettings()

    init(
        _ locations: Locations, lookAgain: Duration = SettingsWatch.lookAgain,
        makeWatch: @escaping (String) -> FileWatch = FileWatch.init, on loop: BusLoop
    ) {
        file = UserFile(path: locations.configurationFile)
        self.loop = loop
        self.makeWatch = makeWatch
        self.lookAgain = lookAgain
        watch = makeWatch(file.path)
        read()
        wait(isNews: true)
    }

    /// Called in the order of registration.
    func onChange(_ observer: @escaping (DesktopSettings) -> Void) { observers.append(observer) }

    func follow(_ locations: Locations) {
        guard locations.configurationFile != file.path else { return }
        file = UserFile(path: locations.configurationFile)
        waiting = nil
        watch = makeWatch(file.path)
        look()
        wait(isNews: true)
    }

    // The loop must stop watching a descriptor before it is closed: a process that was just started may still have it
    // open, and its events would reach the freed source.
    deinit { waiting = nil }

    /// On disk when this returns. Returns an error message, or nil.
    func set(_ key: String, to value: SettingValue) -> String? {
        do {
            try file.change(limit: ConfigurationFile.limit) { bytes in
                ConfigurationFile.changed(bytes, path: file.path) { $0.set(key, to: value) }
            }.get()
            look()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// `isNews`: the file was watched before.
    private func wait(isNews: Bool) {
        if !watch.isBlind {
            waiting = try? loop.watch(watch.descriptor) { [unowned self] in
                watch.takeChanges()
                look()
                if watch.isBlind { wait(isNews: true) }
            }
            if waiting != nil { return }
        }
        if isNews { Complaint.say("changes of \(file.path) cannot be watched; it is read every \(lookAgain)") }
        waiting = loop.after(lookAgain) { [unowned self] in
            watch = makeWatch(file.path)
            look()
            wait(isNews: false)
        }
    }

    private func look() {
        let before = settings
        read()
        guard settings != before else { return }
        for observer in observers { observer(settings) }
    }

    /// Ignores invalid content: a typing mistake must not enable a disabled setting.
    private func read() {
        do {
            let bytes = try file.read(limit: ConfigurationFile.limit)
            settings = try DesktopSettings(ConfigurationFile(bytes, path: file.path))
        } catch {
            Complaint.say("\(error)")
        }
    }
}

struct DesktopSettings: Hashable {
    var notifications = NotificationSettings()
    var tray = TrayPreference.automatic

    init() {}

    init(_ file: ConfigurationFile) throws(SettingsError) {
        notifications = try NotificationSettings(file)
        if case .text(let word)? = try file.value(of: .tray, Setting.tray.key),
            let wish = TrayPreference(rawValue: word)
        {
            tray = wish
        }
    }
}

enum TrayPreference: String {
    /// Wherever possible, even if no host shows it yet.
    case on
    case off
    /// On desktops with a tray, unlike plain GNOME. The default.
    case automatic = "auto"
}
