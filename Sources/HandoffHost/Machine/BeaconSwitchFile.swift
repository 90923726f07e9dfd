// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
package import HandoffSystem
package import Logging

package final class BeaconSwitchFile: BeaconSwitch {
    /// Without an inotify watch: the user's programs may have taken all.
    static let lookAgain = Duration.seconds(30)
    private static let stackBytes = 512 * 1024

    private let path: String
    private let lookAgain: Duration
    private let makeWatch: @Sendable (String) -> FileWatch
    private let log: Logger
    private let onLoop: OnLoop
    private var changed: (Bool) -> Void = { _ in }

    package init(
        path: String, lookAgain: Duration = BeaconSwitchFile.lookAgain,
        makeWatch: @escaping @Sendable (String) -> FileWatch = { FileWatch($0) }, log: Logger, onLoop: @escaping OnLoop
    ) {
        self.path = path
        self.lookAgain = lookAgain
        self.makeWatch = makeWatch
        self.log = log
        self.onLoop = onLoop
    }

    package func watch(_ changed: @escaping (Bool) -> Void) {
        self.changed = changed
        // Used again only on the loop.
        nonisolated(unsafe) let file = self
        let isWatching = DetachedThread.begin(stackBytes: Self.stackBytes) {
            [path, lookAgain, makeWatch, log, onLoop] in
            var reported: Bool?
            var watch = makeWatch(path)
            while true {
                switch Self.read(path) {
                case .success(let isOn) where isOn != reported:
                    reported = isOn
                    onLoop { file.changed(isOn) }
                case .success: break
                case .failure(let error):
                    log.warning("Beacons stay as they are", metadata: ["reason": "\(error)"])
                }
                if watch.isBlind {
                    poll(nil, 0, lookAgain.pollMilliseconds)
                    watch = makeWatch(path)
                } else {
                    var poller = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
                    _ = retrying { poll(&poller, 1, -1) }
                    watch.takeChanges()
                }
            }
        }
        if !isWatching { log.warning("Changes to the setting of beacons cannot be watched") }
    }

    private static func read(_ path: String) -> Result<Bool, any Error> {
        Result {
            let bytes = try UserFile(path: path).read(limit: ConfigurationFile.limit)
            let value = try ConfigurationFile(bytes, path: path).value(of: .beacons, Setting.beacons.key)
            return value != .flag(false)
        }
    }
}
