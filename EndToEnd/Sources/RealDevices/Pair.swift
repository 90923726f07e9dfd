// SPDX-License-Identifier: Apache-2.0

/// A person's laptop and desktop on one network, in one account, with MonkeyBrowser on both.
package struct Pair {
    package let network: Network
    package let laptop: Device
    package let desktop: Device

    package static let page = "https://weather.example/tomorrow"
    package static let title = "Weather Tab"

    package init(network: Network, laptop: Device, desktop: Device) {
        self.network = network
        self.laptop = laptop
        self.desktop = desktop
    }
}

extension Pair {
    /// Starts no program. `hosts`: the machines' host names. `users`: who run the programs, instead of root.
    package init(
        offOn stage: Stage, _ options: Network.Options = .init(), hosts: (String, String)? = nil,
        users: (UInt32, UInt32)? = nil
    ) throws {
        let network = try Network(on: stage, options)
        self.init(
            network: network, laptop: try Device("laptop", on: stage, network: network, host: hosts?.0, user: users?.0),
            desktop: try Device("desktop", on: stage, network: network, host: hosts?.1, user: users?.1))
    }

    package init(on stage: Stage, _ options: Network.Options = .init()) throws {
        try self.init(offOn: stage, options)
        try begin()
    }

    /// Starts both, makes the account, and installs the apps. `options`: of the laptop's daemon.
    package func begin(with apps: [App] = [.monkeyBrowser], options: [String] = []) throws {
        try laptop.startDaemon(options)
        try desktop.startDaemon()
        try laptop.found(with: [desktop])
        for device in [laptop, desktop] {
            for app in apps { try device.install(app) }
        }
    }

    /// Opens a page in MonkeyBrowser on the laptop, and waits until the desktop lists it.
    package func browse(to page: String = page) throws -> RunningProgram {
        let watch = try desktop.watchActivities()
        let browser = try laptop.open(.monkeyBrowser)
        try browser.output.next(starting: "ready")
        try browser.say("go \(page)")
        try browser.output.next(starting: "current tab=1")
        try watch.output.next("the page in the list") { $0.contains(Self.title) }
        watch.stop()
        return browser
    }

    /// Waits until the laptop's daemon, started with `Pair.watched`, has the browser's saved state.
    package func awaitSavedState() throws {
        try laptop.daemon?.errors.next("the state to be held") { $0.hasSuffix("Activity state saved") }
    }

    /// Longer than any pause in the beacons with which devices find each other.
    package static let burst = Duration.milliseconds(800)

    /// Makes a daemon log that it has a state.
    package static let watched = ["--log-level", "debug"]

    /// Offers an activity by a script on the laptop until the stage is over, and waits until the desktop lists it.
    @discardableResult
    package func offer(_ title: String, state: String = "{}", within bound: Duration = .seconds(10)) throws
        -> RunningProgram
    {
        let watch = try desktop.watchActivities()
        let script = try laptop.start(
            "activity", "publish", "--type", "com.example.notes.editing", "--title", title, "--user-info", state)
        try watch.output.next("\(title) in the list", within: bound) { $0.contains(title) }
        watch.stop()
        return script
    }
}
