// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffCore
package import HandoffSystem
package import HandoffWire

/// The settings of config.json that this program goes by, now and whenever somebody changes them.
package final class SettingsWatch {
    /// How often the file is read where the system does not tell of changes, since this user's programs have taken all the
    /// watches that it gives. A change counts half a minute later at most, and reading a small file twice a minute costs
    /// nothing that could be measured. It ends as soon as there is a watch again.
    package static let lookAgain = Duration.seconds(30)

    private let file: UserFile
    private let loop: BusLoop
    private let makeWatch: (String) -> FileWatch
    private let lookAgain: Duration
    private let changed: (NotificationSettings) -> Void
    private var watch: FileWatch
    private var waiting: LoopWatch?

    package private(set) var settings = NotificationSettings()

    /// `changed` is called on the loop. `makeWatch`: a watch of the file at a path.
    package init(
        _ locations: Locations, lookAgain: Duration = SettingsWatch.lookAgain,
        makeWatch: @escaping (String) -> FileWatch = FileWatch.init, on loop: BusLoop,
        changed: @escaping (NotificationSettings) -> Void
    ) {
        file = UserFile(path: locations.configurationFile)
        self.loop = loop
        self.makeWatch = makeWatch
        self.lookAgain = lookAgain
        self.changed = changed
        watch = makeWatch(file.path)
        read()
        wait(isNews: true)
    }

    /// `isNews`: it was watched before.
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
        if settings != before { changed(settings) }
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
