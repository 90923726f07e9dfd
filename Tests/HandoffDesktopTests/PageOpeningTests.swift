// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HandoffBus
import HandoffSystem
import HandoffWire
import Synchronization
import TestBuses
import TestPrograms
import Testing

@testable import HandoffClient

/// Opening web pages with a portal or a browser on a real bus.
// Shows L05, L03.
@Suite(.timeLimit(.minutes(1))) struct PageOpeningTests {
    private let page = "https://bank.example/reset?token=\(UUID().uuidString)"

    private func open(_ page: String, at bus: PrivateBus, with more: [String: String] = [:]) throws {
        let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "PATH": "/usr/bin:/bin"].merging(more) { $1 }
        try WebPageOpener(environment: environment).openAndWait(page)
    }

    @Test func thePortalGetsThePageAndNoArgumentHasIt() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        try await fixture.bePortal(at: bus.address, lookingFor: page)
        try open(page, at: bus, with: ["XDG_ACTIVATION_TOKEN": "window-7"])
        #expect(try await fixture.opened() == [[page, "window-7"]])
        let shown = await fixture.processesShowing(page)
        #expect(shown.isEmpty, "\(shown)")
        await fixture.stop()
    }

    /// For the browser's popup, whose host has no connection of its own.
    @Test func handoffsWindowIsOpenedOverTheBus() async throws {
        let bus = try await PrivateBus()
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_DATA_HOME": folder, "XDG_DATA_DIRS": folder]
        #expect(!WindowOpener(environment: environment).isInstalled)
        #expect(throws: Failure(.noApp, "")) { try WindowOpener(environment: environment).open() }
        let services = folder + "/dbus-1/services"
        try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
        try "".write(toFile: services + "/org.handoff.Handoff.service", atomically: true, encoding: .utf8)
        #expect(WindowOpener(environment: environment).isInstalled)

        let fixture = try BusFixture()
        try await fixture.beWindow(at: bus.address)
        try WindowOpener(environment: environment).open()
        let activations = await fixture.activations
        #expect(activations == 1)
        await fixture.stop()
        environment["HANDOFF_ROOT"] = folder
        #expect(!WindowOpener(environment: environment).isInstalled, "the bus opens the window of another device")
    }

    private func desktop(
        _ opener: TestBrowser, browser name: String = "org.example.My-Browser", _ entry: String, in folder: String
    ) throws -> [String: String] {
        let applications = folder + "/applications"
        try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
        try "[Default Applications]\nx-scheme-handler/https=\(name).desktop\n".write(
            toFile: folder + "/mimeapps.list", atomically: true, encoding: .utf8)
        try "[Desktop Entry]\nType=Application\nExec=browser %u\n\(entry)\n".write(
            toFile: applications + "/\(name).desktop", atomically: true, encoding: .utf8)
        return [
            "PATH": opener.path, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder, "XDG_DATA_DIRS": folder,
            "XDG_CONFIG_DIRS": folder,
        ]
    }

    private func folder() throws -> String {
        let folder = "/tmp/handoff-pages-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    private func opened(in folder: String) throws -> String {
        try String(contentsOfFile: folder + "/opened", encoding: .utf8)
    }

    @Test func withoutAPortalTheDefaultBrowserGetsThePageAndNoArgumentHasIt() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let opener = try TestBrowser(in: folder)
        let environment = try desktop(opener, "DBusActivatable=true", in: folder)
        try await fixture.beBrowser("org.example.My-Browser", at: bus.address, lookingFor: page)
        try open(page, at: bus, with: environment.merging(["XDG_ACTIVATION_TOKEN": "window-7"]) { $1 })
        #expect(try await fixture.browsed() == [[page, "window-7", "window-7"]])
        let shown = await fixture.processesShowing(page)
        #expect(shown.isEmpty, "\(shown)")
        #expect(try opened(in: folder) == "")
        await fixture.stop()
    }

    @Test(arguments: ["", "DBusActivatable=false", "DBusActivatable=true"])
    func openerGetsThePageIfTheBusHasNeitherPortalNorBrowser(_ entry: String) async throws {
        let bus = try await PrivateBus()
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let opener = try TestBrowser(in: folder)
        try open(page, at: bus, with: try desktop(opener, entry, in: folder))
        #expect(await opener.opens(page))
    }

    @Test func openerGetsThePageIfThereIsNoBus() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let browser = try TestBrowser(in: folder)
        let environment = ["PATH": browser.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus"]
        try WebPageOpener(environment: environment).openAndWait(page)
        #expect(await browser.opens(page))
    }

    /// For example, a portal that the administrator has locked.
    @Test func pageThatThePortalRefusesIsGivenToNothingElse() async throws {
        let bus = try await PrivateBus()
        let fixture = try BusFixture()
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let opener = try TestBrowser(in: folder)
        let environment = try desktop(opener, "DBusActivatable=true", in: folder)
        let error = "org.freedesktop.portal.Error.NotAllowed"
        try await fixture.bePortal(at: bus.address, lookingFor: page, answering: error)
        #expect {
            try open(page, at: bus, with: environment)
        } throws: {
            ($0 as? Failure)?.reason == "the desktop's portal did not open it: \(error)"
        }
        #expect(try opened(in: folder) == "")
        await fixture.stop()
    }

    @Test(arguments: ["ftp://host.example/file", "file:///etc/passwd", "javascript:1", "", "\0https://a.example"])
    func onlyWebPagesAreOpened(_ page: String) async throws {
        let bus = try await PrivateBus()
        #expect(throws: Failure(.notAllowed, "")) { try open(page, at: bus) }
    }

    @Test(arguments: [
        (["DBUS_SESSION_BUS_ADDRESS": "tcp:host=h;unix:path=/b", "XDG_RUNTIME_DIR": "/r"], "tcp:host=h;unix:path=/b"),
        (["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/run/user/7"], "unix:path=/run/user/7/bus"),
        (["XDG_RUNTIME_DIR": "/a ;é,\t"], "unix:path=/a%20%3b%c3%a9%2c%09/bus"),
        ([:], nil),
    ])
    func busIsFoundByTheAddressOfTheSession(_ environment: [String: String], _ address: String?) {
        #expect(DesktopBus.address(environment) == address)
    }

    @Test func aBusThatDoesNotAnswerIsGivenUp() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let silent = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(silent) }
        let name = sockaddr_un(path: folder + "/bus")
        try #require(name?.withSocketAddress { bind(silent, $0, $1) } == 0 && listen(silent, 1) == 0)
        if DesktopBus(["XDG_RUNTIME_DIR": folder]) != nil { Issue.record("a silent socket is taken for a bus") }
    }

    @Test func theOpenerGetsNothingThatBelongsToTheService() async throws {
        let bus = try await PrivateBus()
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let browser = try TestBrowser(in: folder)
        let opened = folder + "/opened"
        let program = "#!/bin/sh\nenv | cut -d= -f1 | tr '\\n' ' ' >>'\(opened)'\necho end >>'\(opened)'\n"
        try Program.write(program, to: folder + "/programs/gio")
        try open(
            page, at: bus,
            with: ["PATH": browser.path, "NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "1", "SECRET": "s", "DISPLAY": ":7"])
        #expect(await browser.opens("end"))
        let names = try String(contentsOfFile: folder + "/opened", encoding: .utf8).split(separator: " ")
        #expect(names.contains("DISPLAY") && names.contains("PATH"))
        #expect(!names.contains { ["NOTIFY_SOCKET", "WATCHDOG_USEC", "SECRET"].contains($0) }, "\(names)")
    }

    /// Shows Q03 in part. The service manager is simulated; only a booted system has a real one.
    @Test func theOpenerRunsInTheSessionThatTheServiceManagerHasNow() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let browser = try TestBrowser(in: folder)
        let programs = [
            "gio": "echo \"$DISPLAY $GTK_IM_MODULE $DESKTOP_STARTUP_ID $2\" >>'\(folder)/opened'",
            "systemctl": "printf 'DISPLAY=:1\\nDESKTOP_STARTUP_ID=stale\\nPATH=%s\\nXDG_RUNTIME_DIR=%s\\n' "
                + "'\(browser.path)' '\(folder)'",
            "systemd-run": "while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"",
        ]
        for (name, text) in programs {
            try Program.write("#!/bin/sh\n\(text)\n", to: "\(folder)/programs/\(name)")
        }
        try FileManager.default.createDirectory(atPath: folder + "/systemd", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: folder + "/systemd/private"))
        let environment = [
            "SYSTEMD_EXEC_PID": "\(getpid())", "DISPLAY": ":0", "GTK_IM_MODULE": "stale", "PATH": browser.path,
            "XDG_RUNTIME_DIR": folder, "DESKTOP_STARTUP_ID": "window-7",
        ]
        try WebPageOpener(environment: environment, asUnit: true).openAndWait(page)
        #expect(await browser.opens(":1  window-7 \(page)\n"))
    }
}

extension BusFixture {
    private func own(_ name: String, at address: String) async throws -> Guest {
        let guest = try await connect(to: address)
        self.guest = guest
        await withCheckedContinuation { done in guest.connection?.requestName(name) { _ in done.resume() } }
        return guest
    }

    private func serve(
        _ interface: String, _ method: BusInterface.Method, at path: String, on guest: Guest
    ) throws {
        guard let bus = guest.connection else { return }
        guest.kept.append(try BusObject([BusInterface(interface, methods: [method])], at: path, on: bus))
    }

    /// `answering`: the name of an error; nil: the page is opened.
    func bePortal(at address: String, lookingFor page: String, answering error: String? = nil) async throws {
        let guest = try await own("org.freedesktop.portal.Desktop", at: address)
        let method = BusInterface.Method(
            "OpenURI",
            takes: [.init("parent_window", "s"), .init("uri", "s"), .init("options", "a{sv}")]
        ) { message, reply in
            Self.look(for: page)
            guest.hears(message)
            if let error { reply.fail(BusFailure(error, "no")) } else { reply.answer() }
        }
        try serve("org.freedesktop.portal.OpenURI", method, at: "/org/freedesktop/portal/desktop", on: guest)
    }

    fileprivate func beWindow(at address: String) async throws {
        let guest = try await own("org.handoff.Handoff", at: address)
        let method = BusInterface.Method("Activate", takes: [.init("platform_data", "a{sv}")]) { message, reply in
            guest.hears(message)
            reply.answer()
        }
        try serve("org.freedesktop.Application", method, at: "/org/handoff/Handoff", on: guest)
    }

    fileprivate var activations: Int { guest?.heard.count ?? 0 }

    fileprivate func beBrowser(_ name: String, at address: String, lookingFor page: String) async throws {
        let guest = try await own(name, at: address)
        let method = BusInterface.Method("Open", takes: [.init("uris", "as"), .init("platform_data", "a{sv}")]) {
            message, reply in
            Self.look(for: page)
            guest.hears(message)
            reply.answer()
        }
        let path = "/" + name.replacing(".", with: "/").replacing("-", with: "_")
        try serve("org.freedesktop.Application", method, at: path, on: guest)
    }

    private static func look(for page: String) {
        let processes = processes(showing: page)
        seen.withLock { $0[page] = processes }
    }

    func opened() throws -> [[String]] {
        (guest?.heard ?? []).map { [$0[1]?.text ?? "", $0[2]?.properties?["activation_token"]?.text ?? ""] }
    }

    fileprivate func browsed() throws -> [[String]] {
        (guest?.heard ?? []).map { message in
            (message[0]?.strings ?? [])
                + ["activation-token", "desktop-startup-id"].map { message[1]?.properties?[$0]?.text ?? "" }
        }
    }

    func processesShowing(_ page: String) -> [String] { Self.seen.withLock { $0[page] ?? ["never looked"] } }

    /// By page, because suites run in parallel.
    private static let seen = Mutex<[String: [String]]>([:])

    private static func processes(showing text: String) -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { process in
            guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else { return false }
            return String(decoding: bytes, as: UTF8.self).contains(text)
        }
    }
}
