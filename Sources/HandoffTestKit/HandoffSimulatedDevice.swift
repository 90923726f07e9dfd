// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff
internal import HandoffCore
internal import HandoffWire

/// A device of a `HandoffSimulatedAccount`: the daemon's own rules, without its sockets.
@MainActor
public final class HandoffSimulatedDevice {
    /// What continuing an activity came to.
    public enum Continuation: Hashable, Sendable {
        /// This app has it.
        case app(bundleIdentifier: String)
        /// This page would be opened.
        case webPage(URL)
    }

    public let name: String

    /// Until all that was said has arrived, also where an app says much at once and is heard more seldom.
    private static let patience: Duration = .seconds(2)

    private let device: DeviceInMemory
    private let town: TownInMemory
    /// `HandoffSimulatedProcess` each, oldest first.
    private var processes: [AnyObject] = []

    init(_ device: DeviceInMemory, in town: TownInMemory) {
        self.name = device.name
        self.device = device
        self.town = town
    }

    // MARK: Apps

    /// Installs it here, or takes the place of what has its bundle identifier.
    public func install<Main>(_ app: HandoffSimulatedApp<Main>) async throws {
        guard let id = try? TeamID(app.team) else { throw HandoffSimulationError("\(app.team) is not a Team ID") }
        let team = try town.team(id)
        let installed = try app.installed(by: team)
        try await device.install(installed, signedBy: team) { [weak self] launch in
            _ = self?.start(app, as: installed, by: launch)
        }
    }

    /// As its user opens it: a new process of it.
    public func open<Main>(_ app: HandoffSimulatedApp<Main>) async throws -> HandoffSimulatedProcess<Main> {
        guard let bundle = try? BundleID(app.bundleIdentifier), let installed = device.installed(bundle) else {
            throw HandoffSimulationError("\(app.bundleIdentifier) is not installed on \(name)")
        }
        let process = start(app, as: installed)
        try await town.pass(Self.patience)
        return process
    }

    /// The newest process of that app that runs here; nil where there is none.
    public func process<Main>(of app: HandoffSimulatedApp<Main>) -> HandoffSimulatedProcess<Main>? {
        processes.lazy.compactMap { $0 as? HandoffSimulatedProcess<Main> }
            .last { $0.isRunning && $0.process.app.bundle.name == app.bundleIdentifier }
    }

    private func start<Main>(
        _ app: HandoffSimulatedApp<Main>, as installed: InstalledApp, by launch: ProcessInMemory.Launch? = nil
    ) -> HandoffSimulatedProcess<Main> {
        let inner = device.makeProcess(installed, by: launch)
        let process = HandoffSimulatedProcess(inner, main: inner.start(app.main))
        processes.append(process)
        return process
    }

    // MARK: Activities

    /// What the account's other devices offer, newest first, as this one shows it once all that was said has arrived.
    public func activities() async throws -> [HandoffOfferedActivity] {
        try await town.pass(Self.patience)
        guard
            case .advertising(.activityList(let listed)) = try await device.ask(
                .advertising(.listActivities(watch: false, all: true)))
        else {
            return []
        }
        return listed.filter { !$0.isFromThisDevice }.map(HandoffOfferedActivity.init)
    }

    /// As its user accepts it: continues an activity, the newest if none is named, in the app that the rules choose.
    /// Returns when all that follows from it has happened, on the origin too.
    ///
    /// Throws the `CocoaError` that the app's `didFailToContinueUserActivityWithType` gets, where an app was told of it.
    @discardableResult
    public func continueActivity(_ activity: HandoffOfferedActivity? = nil) async throws -> Continuation {
        let activity = try await chosen(activity)
        let answer: LocalMessage
        do {
            answer = try await device.ask(
                .continuation(
                    .startContinuation(StartContinuation(activity: activity.activity, device: activity.device))))
            try await town.pass(Self.patience)
        } catch let failure as Failure {
            try await town.pass(Self.patience)
            throw failure.cocoaError
        }
        guard case .continuation(.outcome(let outcome)) = answer else {
            throw HandoffSimulationError("the daemon gives no outcome")
        }
        switch outcome.how {
        case .app(let bundle): return .app(bundleIdentifier: bundle.name)
        case .state(let state):
            guard let page = state.webpageURL.flatMap(URL.init(string:)) else {
                throw HandoffSimulationError("nothing on \(name) continues \(activity)")
            }
            return .webPage(page)
        case .pageShown:
            throw HandoffSimulationError("a browser on \(name) shows it, and there are none in a simulation")
        }
    }

    /// The same where it has to be this app; returns the process that has it.
    public func continueActivity<Main>(
        _ activity: HandoffOfferedActivity? = nil, in app: HandoffSimulatedApp<Main>
    ) async throws -> HandoffSimulatedProcess<Main> {
        let result = try await continueActivity(activity)
        guard result == .app(bundleIdentifier: app.bundleIdentifier), let process = process(of: app) else {
            throw HandoffSimulationError("not \(app.bundleIdentifier) has continued it on \(name), but \(result)")
        }
        return process
    }

    private func chosen(_ activity: HandoffOfferedActivity?) async throws -> HandoffOfferedActivity {
        if let activity { return activity }
        guard let newest = try await activities().first else {
            throw HandoffSimulationError("\(name) is offered no activity")
        }
        return newest
    }

    // MARK: The network

    /// Nothing reaches it any more, and nobody is told. Streams are cut after some 12 seconds of the account's time; what apps
    /// write to them until then still arrives.
    public func leaveNetwork() { town.setAway(true, device) }

    /// What waited to be sent arrives.
    public func rejoinNetwork() { town.setAway(false, device) }
}
