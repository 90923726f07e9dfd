// SPDX-License-Identifier: Apache-2.0

package import HandoffSystem
package import HandoffWire

/// Opens a URL with the user's default program. All users of the machine can read arguments, so the URL is an argument
/// only if the user's bus has neither portal nor program.
package struct URLHandover: Sendable {
    /// Includes the start of the portal.
    static let portalTime = Duration.seconds(10)
    /// Includes the start of the program.
    static let programTime = Duration.seconds(30)

    private let environment: [String: String]
    private let session: PresentSession?

    /// `asUnit`: the user's service manager, if it runs, starts the opener, so that this program's confinement and
    /// restarts do not affect the opened program. Each call queries the current session.
    package init(environment: [String: String], asUnit: Bool = false) {
        self.environment = SessionEnvironment.forOpening(environment)
        session = asUnit ? PresentSession(environment: environment) : nil
    }

    /// Why nothing can be opened, as far as known without asking other programs.
    package var problem: Failure? {
        guard DesktopBus.address(environment) == nil, DesktopOpener.installed(path: environment["PATH"]) == nil else {
            return nil
        }
        return .noOpener
    }

    /// Blocks until the desktop accepts the URL. The caller must wait for a returned opener. Throws `.noApp`, or
    /// `.notAllowed` without a scheme.
    package func open(_ url: String) throws(Failure) -> SpawnedProcess? {
        guard let scheme = WebPageURL.scheme(of: url), !url.utf8.contains(0) else {
            throw Failure(.notAllowed, "a URL without a scheme cannot be opened")
        }
        let program = present
        // The bus has other methods for files.
        if scheme != "file", try isTakenOverBus(url, scheme, program.variables) { return nil }
        return try startOpener(with: url, program)
    }

    private var present: ProgramEnvironment {
        guard var program = session?.read() else { return ProgramEnvironment(environment) }
        for name in [ActivationToken.variable, ActivationToken.olderVariable] {
            program.variables[name] = environment[name]
        }
        return program
    }

    private func isTakenOverBus(
        _ url: String, _ scheme: String, _ environment: [String: String]
    ) throws(Failure) -> Bool {
        guard let bus = DesktopBus(environment) else { return false }
        let token = ActivationToken(environment: environment)?.text
        let portal = bus.askPortal(toOpen: url, token: token, within: Self.portalTime)
        if try isTaken(portal, by: "the desktop's portal") { return true }
        guard let name = SchemeHandlers(environment: environment).busName(for: scheme) else { return false }
        let program = bus.ask(name, at: name.applicationPath, toOpen: url, token: token, within: Self.programTime)
        return try isTaken(program, by: name)
    }

    private func isTaken(_ answer: DesktopBus.Answer, by taker: String) throws(Failure) -> Bool {
        switch answer {
        case .done: return true
        case .absent: return false
        case .refused(let error): throw Failure(.noApp, "\(taker) did not open it: \(error)")
        // It may still open the URL, which must not be opened twice.
        case .late: throw Failure(.noApp, "\(taker) did not answer in time")
        }
    }

    private func startOpener(with url: String, _ program: ProgramEnvironment) throws(Failure) -> SpawnedProcess {
        guard let (opener, arguments) = DesktopOpener.installed(path: program.variables["PATH"]) else {
            throw .noOpener
        }
        var command = [opener] + arguments + [url]
        if session != nil, let manager = TransientUnits(environment: program.variables) {
            let options = [
                "--collect", TransientUnits.untilTheLastProcess, "--slice=app.slice", "--description=Web page",
            ]
            command = manager.arguments(options, environment: program, command: command)
        }
        do throws(SystemError) {
            return try SpawnedProcess(
                executable: command[0], arguments: command, environment: program.variables, directory: "/", output: nil)
        } catch {
            throw Failure(.noApp, "cannot start \(command[0]): \(error.reason)")
        }
    }
}

extension Failure {
    fileprivate static let noOpener = Failure(
        .noApp, "\(DesktopOpener.noneInstalled), so no URL can be opened")
}
