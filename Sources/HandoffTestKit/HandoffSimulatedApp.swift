// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// An app as a test installs it: what its bundle declares, and what its `main` does.
///
/// ```swift
/// let reader = HandoffSimulatedApp("com.example.reader", activityTypes: ["com.example.reader.reading"]) { Reader() }
/// ```
public struct HandoffSimulatedApp<Main: AnyObject>: Sendable {
    /// `CFBundleIdentifier`.
    public let bundleIdentifier: String
    /// `CFBundleName`.
    public let name: String
    /// A Team ID, ten of A-Z and 0-9. Only apps of one team continue each other's activities.
    public let team: String
    /// `NSUserActivityTypes`: what this app continues.
    public let activityTypes: Set<String>

    let main: @MainActor @Sendable () -> Main

    /// `main` stands for the app's own, up to where it would call `run()`: it is called for each process of the app, on
    /// the main thread. What it returns is kept for as long as that process runs, and is the application's delegate if it
    /// can be and `main` set no other.
    public init(
        _ bundleIdentifier: String, name: String? = nil, team: String = "TESTTEAM00", activityTypes: Set<String>,
        main: @escaping @MainActor @Sendable () -> Main
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.name = name ?? bundleIdentifier
        self.team = team
        self.activityTypes = activityTypes
        self.main = main
    }

    /// The same with what the app's own `Info.plist` declares, so that the test finds a type that was forgotten there.
    /// Throws `HandoffSimulationError` where it cannot be read, saying why.
    public init(
        infoPlist: URL, team: String = "TESTTEAM00", main: @escaping @MainActor @Sendable () -> Main
    ) throws {
        let info: InfoPropertyList?
        do throws(PropertyListFile.Problem) {
            info = try PropertyListFile(path: infoPlist.path).decode(InfoPropertyList.self)
        } catch {
            throw HandoffSimulationError(error.reason)
        }
        guard let info else { throw HandoffSimulationError("there is no \(infoPlist.path)") }
        guard let identifier = info.identifier else {
            throw HandoffSimulationError("\(infoPlist.path) lacks the key CFBundleIdentifier")
        }
        let documentTypes = (info.documentTypes ?? []).compactMap(\.activityType)
        self.init(
            identifier, name: info.name, team: team,
            activityTypes: Set((info.activityTypes ?? []) + documentTypes), main: main)
    }

    /// As the catalog of a device has it. Throws `HandoffSimulationError` where a bundle that says this would not be read.
    func installed(by team: TeamCertificate) throws -> InstalledApp {
        do {
            let path = "/apps/\(bundleIdentifier).app"
            return InstalledApp(
                bundle: try BundleID(bundleIdentifier), name: DisplayText(cleaning: name),
                signer: .team(team.team, name: team.name),
                activityTypes: Set(try activityTypes.map { try ActivityType($0) }), path: path,
                executable: path + "/Contents/Linux/app")
        } catch let error as WireError {
            throw HandoffSimulationError("\(bundleIdentifier) cannot be installed: \(error.reason)")
        }
    }
}
