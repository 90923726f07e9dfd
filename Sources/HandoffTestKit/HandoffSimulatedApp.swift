// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// An app for a test: its bundle's declarations and its `main`.
///
/// ```swift
/// let reader = HandoffSimulatedApp("com.example.reader", activityTypes: ["com.example.reader.reading"]) { Reader() }
/// ```
public struct HandoffSimulatedApp<Main: AnyObject>: Sendable {
    /// `CFBundleIdentifier`.
    public let bundleIdentifier: String
    /// `CFBundleName`.
    public let name: String
    /// A Team ID: ten characters of A-Z and 0-9.
    public let team: String
    /// `NSUserActivityTypes`.
    public let activityTypes: Set<String>

    let main: @MainActor @Sendable () -> Main

    /// Creates an app.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: as in the app's Info.plist.
    ///   - name: the displayed name; nil: the bundle identifier.
    ///   - team: the Team ID. Only apps of one team continue each other's activities.
    ///   - activityTypes: the types that the app continues.
    ///   - main: replaces the app's own, up to `run()`. Called on the main thread for each process, which keeps the
    ///     result. If it can, the result becomes the application's delegate, unless `main` sets another.
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

    /// Creates an app from its `Info.plist`, so that a test detects a missing type. Throws `HandoffSimulationError` if
    /// the file is unreadable.
    public init(
        infoPlist: URL, team: String = "TESTTEAM00", main: @escaping @MainActor @Sendable () -> Main
    ) throws {
        let info: InfoPropertyList?
        do throws(PropertyListFile.Problem) {
            info = try PropertyListFile(path: infoPlist.path).decode(InfoPropertyList.self)
        } catch {
            throw HandoffSimulationError(error.reason)
        }
        guard let info else { throw HandoffSimulationError("\(infoPlist.path) does not exist") }
        guard let identifier = info.identifier else {
            throw HandoffSimulationError("\(infoPlist.path) lacks the key CFBundleIdentifier")
        }
        let documentTypes = (info.documentTypes ?? []).compactMap(\.activityType)
        self.init(
            identifier, name: info.name, team: team,
            activityTypes: Set((info.activityTypes ?? []) + documentTypes), main: main)
    }

    /// Throws `HandoffSimulationError` for values that a bundle cannot have.
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
