// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Survives a crash of the simulated daemon, as apps do.
package final class MemoryAppLauncher: AppLauncher {
    package final class Launch {
        package let app: InstalledApp
        package let token: LaunchToken
        package let activityType: ActivityType
        package let activation: ActivationToken?
        private var ended: ((AppExit) -> Void)?

        fileprivate init(
            app: InstalledApp, token: LaunchToken, activityType: ActivityType, activation: ActivationToken?,
            ended: @escaping (AppExit) -> Void
        ) {
            self.app = app
            self.token = token
            self.activityType = activityType
            self.activation = activation
            self.ended = ended
        }

        /// Only once for each process.
        package func end(_ exit: AppExit) {
            let ended = self.ended
            self.ended = nil
            ended?(exit)
        }
    }

    package enum Behaviour {
        case silent
        /// With its token; it takes continuations. `connected` gets the new client.
        case connects(after: Duration)
        case ends(AppExit, after: Duration)
    }

    private let time: VirtualTime
    private let listener: MemoryClientListener
    package private(set) var launches: [Launch] = []
    /// For apps without an entry in `behaviours`.
    package var standard: Behaviour = .connects(after: .milliseconds(30))
    package var behaviours: [BundleID: Behaviour] = [:]
    /// Called with a new client before it sends its hello.
    package var connected: ((TestClient, Launch) -> Void)?

    package init(time: VirtualTime, listener: MemoryClientListener) {
        self.time = time
        self.listener = listener
    }

    package func launch(
        _ app: InstalledApp, token: LaunchToken, for activityType: ActivityType, activation: ActivationToken?,
        ended: @escaping (AppExit) -> Void
    ) {
        let launch = Launch(
            app: app, token: token, activityType: activityType, activation: activation, ended: ended)
        launches.append(launch)
        switch behaviours[app.bundle] ?? standard {
        case .silent: break
        case .connects(let delay): time.schedule(after: delay) { [weak self] in self?.connect(launch) }
        case .ends(let exit, let delay): time.schedule(after: delay) { launch.end(exit) }
        }
    }

    private func connect(_ launch: Launch) {
        let client = listener.connect(executable: launch.app.executable)
        connected?(client, launch)
        client.hello(
            LocalHello(
                role: .app, bundle: launch.app.bundle, name: launch.app.name, launchToken: launch.token,
                receives: true))
    }
}
