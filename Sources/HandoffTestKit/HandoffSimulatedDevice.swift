// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Handoff
internal import HandoffCore
internal import HandoffWire

/// A device of a `HandoffSimulatedAccount`.
@MainActor
public final class HandoffSimulatedDevice {
    /// The result of a continuation.
    public enum Continuation: Hashable, Sendable {
        /// This app received the activity.
        case app(bundleIdentifier: String)
        /// This page would be opened.
        case webPage(URL)
    }

    public let name: String

    /// Long enough for all messages, even of an app that the daemon slows down.
    private static let patience: Duration = .seconds(2)

    private let device: DeviceInMemory
    private let simulation: InMemorySimulation
    /// `HandoffSimulatedProcess` each, oldest first.
    private var processes: [AnyObject] = []

    init(_ device: DeviceInMemory, in simulation: InMemorySimulation) {
        self.name = device.name
        self.device = device
        self.simulation = simulation
    }

    // MARK: Apps

    /// Installs an app, or replaces the one with its bundle identifier.
    public func install<Main>(_ app: HandoffSimulatedApp<Main>) async throws {
        guard let id = try? TeamID(app.team) else { throw HandoffSimulationError("\(app.team) is not a Team ID") }
        let team = try simulation.team(id)
        let installed = try app.installed(by: team)
        try await device.install(installed, signedBy: team) { [weak self] launch in
            _ = self?.start(app, as: installed, by: launch)
        }
    }

    /// Opens the app in a new process. Throws `HandoffSimulationError` if it is not installed.
    public func open<Main>(_ app: HandoffSimulatedApp<Main>) async throws -> HandoffSimulatedProcess<Main> {
        guard let bundle = try? BundleID(app.bundleIdentifier), let installed = device.installed(bundle) else {
            throw HandoffSimulationError("\(app.bundleIdentifier) is not installed on \(name)")
        }
        let process = start(app, as: installed)
        try await simulation.pass(Self.patience)
        return process
    }

    /// The app's newest running process on this device.
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

    /// The activities of the account's other devices, newest first, once all messages have arrived.
    public func activities() async throws -> [HandoffOfferedActivity] {
        try await simulation.pass(Self.patience)
        guard
            case .advertising(.activityList(let listed)) = try await device.ask(
                .advertising(.listActivities(watch: false, all: true)))
        else {
            return []
        }
        return listed.filter { !$0.isFromThisDevice }.map(HandoffOfferedActivity.init)
    }

    /// Continues an activity, or the newest, as if the user had accepted it. Returns after all consequences, on the
    /// origin too.
    ///
    /// Throws the `CocoaError` of the app's `didFailToContinueUserActivityWithType`, if the app was notified.
    @discardableResult
    public func continueActivity(_ activity: HandoffOfferedActivity? = nil) async throws -> Continuation {
        let activity = try await chosen(activity)
        let answer: LocalMessage
        do {
            answer = try await device.ask(
                .continuation(
                    .startContinuation(StartContinuation(activity: activity.activity, device: activity.device))))
            try await simulation.pass(Self.patience)
        } catch let failure as Failure {
            try await simulation.pass(Self.patience)
            throw failure.cocoaError
        }
        guard case .continuation(.outcome(let outcome)) = answer else {
            throw HandoffSimulationError("the daemon reported no outcome")
        }
        switch outcome.how {
        case .app(let bundle): return .app(bundleIdentifier: bundle.name)
        case .state(let state):
            guard let page = state.webpageURL.flatMap(URL.init(string:)) else {
                throw HandoffSimulationError("no app on \(name) continues \(activity)")
            }
            return .webPage(page)
        case .pageShown:
            throw HandoffSimulationError("a browser on \(name) would show it, but a simulation has no browsers")
        }
    }

    /// Continues an activity and returns the app's process. Throws `HandoffSimulationError` if it did not receive it.
    public func continueActivity<Main>(
        _ activity: HandoffOfferedActivity? = nil, in app: HandoffSimulatedApp<Main>
    ) async throws -> HandoffSimulatedProcess<Main> {
        let result = try await continueActivity(activity)
        guard result == .app(bundleIdentifier: app.bundleIdentifier), let process = process(of: app) else {
            throw HandoffSimulationError("it was continued on \(name) by \(result), not by \(app.bundleIdentifier)")
        }
        return process
    }

    private func chosen(_ activity: HandoffOfferedActivity?) async throws -> HandoffOfferedActivity {
        if let activity { return activity }
        guard let newest = try await activities().first else {
            throw HandoffSimulationError("no activity is offered to \(name)")
        }
        return newest
    }

    // MARK: The network

    /// Disconnects the device without notifying the others. Streams are cut after about 12 simulated seconds; bytes
    /// written before still arrive.
    public func leaveNetwork() { simulation.setAway(true, device) }

    /// Reconnects the device; delayed messages arrive.
    public func rejoinNetwork() { simulation.setAway(false, device) }
}

/// An impossible request, or a hook that does not return. Failed continuations throw `CocoaError` instead.
public struct HandoffSimulationError: Error, Sendable, CustomStringConvertible {
    /// One sentence.
    public let description: String

    init(_ description: String) { self.description = description }
}
