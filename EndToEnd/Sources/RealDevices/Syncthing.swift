// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A folder on each of two devices that Syncthing synchronizes.
package final class Syncthing {
    private struct End {
        let device: Device
        let folder: URL
        let home: URL
        let id: String
    }

    private static let folder = "papers"
    /// For its API, which only programs of the same device can reach.
    private static let key = "handoff"
    private let stage: Stage
    private let ends: [End]
    private var running: [String: RunningProgram] = [:]

    /// The folders exist; Syncthing is not started.
    package init(_ folders: [(device: Device, folder: URL)], network: Network, on stage: Stage) throws {
        self.stage = stage
        ends = try folders.map { device, folder in
            let home = stage.folder.appending(path: "syncthing-\(device.name)")
            try device.run("syncthing", "generate", "--home=\(home.path)", "--no-default-folder")
            let id = try device.output(of: "syncthing", "--home=\(home.path)", "--device-id").last ?? ""
            // This marker shows Syncthing that the folder exists, and that no disk is missing.
            try FileManager.default.createDirectory(
                at: folder.appending(path: ".stfolder"), withIntermediateDirectories: true)
            return End(device: device, folder: folder, home: home, id: id)
        }
        for end in ends {
            try Data(try settings(of: end, network).utf8).write(to: end.home.appending(path: "config.xml"))
        }
    }

    /// Default settings, except for those that would contact other networks.
    private func settings(of end: End, _ network: Network) throws -> String {
        let members = ends.map { "<device id=\"\($0.id)\"/>" }.joined()
        // Only the first end dials. Syncthing 1.19 exchanges its hellos one connection at a time: two ends that dial
        // each other at once wait for each other until the hellos time out, after 20 s, and may do so again.
        let dials = end.id == ends[0].id
        let devices = try ends.map { peer in
            let address = dials ? "tcp://\(try network.address(of: peer.device.name)):22000" : "dynamic"
            return "<device id=\"\(peer.id)\" name=\"\(peer.device.name)\"><address>\(address)</address></device>"
        }
        let off = [
            "globalAnnounceEnabled", "localAnnounceEnabled", "relaysEnabled", "natEnabled", "startBrowser",
            "crashReportingEnabled",
        ].map { "<\($0)>false</\($0)>" }.joined()
        // A file that changes during its transfer is retried after this pause, by default a minute.
        return """
            <configuration version="35">
              <folder id="\(Self.folder)" path="\(end.folder.path)" type="sendreceive" fsWatcherEnabled="true" \
            fsWatcherDelayS="1" rescanIntervalS="3600"><filesystemType>basic</filesystemType>\(members)
                <pullerPauseS>1</pullerPauseS></folder>
              \(devices.joined())
              <gui enabled="true"><address>127.0.0.1:8384</address><apikey>\(Self.key)</apikey></gui>
              <options><listenAddress>tcp://:22000</listenAddress><reconnectionIntervalS>1</reconnectionIntervalS>
                <urAccepted>-1</urAccepted><autoUpgradeIntervalH>0</autoUpgradeIntervalH>\(off)</options>
            </configuration>
            """
    }

    package func start() throws {
        for end in ends where running[end.device.name] == nil {
            running[end.device.name] = try end.device.start(
                program: [
                    "syncthing", "serve", "--home=\(end.home.path)", "--no-browser", "--no-restart", "--no-upgrade",
                    "--skip-port-probing",
                ], name: "syncthing")
        }
    }

    /// As if its user had paused it, or it were not installed.
    package func stop() {
        for program in running.values { program.stop() }
        running = [:]
    }

    /// Waits until both devices are in sync, twice, because changes by the second go back to the first.
    package func settle(within bound: Duration = .seconds(40)) throws {
        for (here, there) in [(ends[0], ends[1]), (ends[1], ends[0]), (ends[0], ends[1]), (ends[1], ends[0])] {
            let waiter = try here.device.start(
                program: [Builds.settled, Self.folder, Self.key, there.id], name: "settled")
            try waiter.output.next("Syncthing to have everything", within: bound) { $0 == "settled" }
        }
    }

    /// Why it cannot be used here; nil if it can.
    package static let missing: String? = {
        let found = try? RunningProgram.run(["syncthing", "--version"])
        return found?.code == 0 ? nil : "there is no syncthing; run: make setup-test"
    }()
}
