// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffIcons
import HandoffWire
import TestBuses
import TestPrograms
import Testing

@testable import HandoffDesktop

/// Icons with the emblem of the device's kind, as GLib reads them, which GNOME Shell uses.
// Shows L11, L17.
@Suite(.timeLimit(.minutes(1))) struct SearchIconTests {
    /// Prints the icon's parts: names of a themed icon, without the symbolic ones that GLib adds, or a URL.
    private static let reader = """
        import sys
        from gi.repository import Gio, GLib
        bus = Gio.DBusConnection.new_for_address_sync(
            sys.argv[1],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        def ask(member, value):
            return bus.call_sync("org.handoff.Handoff.Search", "/org/handoff/Handoff/Search",
                "org.gnome.Shell.SearchProvider2", member, value, None, 0, -1, None)
        ids = ask("GetInitialResultSet", GLib.Variant("(as)", [sys.argv[2:]])).unpack()[0]
        metas = ask("GetResultMetas", GLib.Variant("(as)", [ids])).get_child_value(0)
        icon = Gio.Icon.deserialize(metas.get_child_value(0).lookup_value("icon", GLib.VariantType("(sv)")))
        def words(icon):
            if isinstance(icon, Gio.FileIcon):
                return icon.get_file().get_uri()
            return " ".join(name for name in icon.get_names() if not name.endswith("-symbolic"))
        if isinstance(icon, Gio.EmblemedIcon):
            print(words(icon.get_icon()), "+", " ".join(words(each.get_icon()) for each in icon.get_emblems()))
        else:
            print(words(icon))
        """

    private func words(at address: String, _ terms: String...) async throws -> String {
        let program = try Program(
            ["/usr/bin/python3", "-c", Self.reader, address] + terms, environment: ["PATH": "/usr/bin:/bin"])
        #expect(await program.end() == 0, "\(program.errors)")
        return program.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func iconHasTheEmblemOfTheDevicesKind() async throws {
        try await withPrivateBus { fixture, bus in
            var phone = try ListedActivity.sample(2, "Holidays", target: .webPage)
            phone.deviceKind = .phone
            var unknown = try ListedActivity.sample(3, "News", target: .webPage)
            unknown.deviceKind = .unspecified
            let daemon = ScriptedDaemon(offering: [try .sample(1, "Shopping list"), phone, unknown])
            let guest = try await fixture.begin(at: bus.address, daemon)
            await guest.settles(isolation: fixture)
            let own = "org.handoff.Handoff"
            #expect(
                try await words(at: bus.address, "shopping") == "com.example.notes \(own) + \(own).laptop-emblem")
            #expect(try await words(at: bus.address, "holidays") == "web-browser \(own) + \(own).phone-emblem")
            #expect(try await words(at: bus.address, "news") == "web-browser \(own)")
            withExtendedLifetime(guest) {}
        }
    }

    @Test func fileOfAnIconHasTheEmblemToo() async throws {
        try await withPrivateBus { fixture, bus in
            let folder = try UserFolder()
            let daemon = ScriptedDaemon(offering: [try .sample(1, "Shopping list")], isThere: true)
            let picture = try daemon.install(in: folder, picture: "picture")
            let guest = try await fixture.begin(at: bus.address, daemon, isThere: false)
            let icon = try await words(at: bus.address, "shopping")
            #expect(icon == "file://\(picture) + org.handoff.Handoff.laptop-emblem")
            withExtendedLifetime((folder, guest)) {}
        }
    }

    @Test func eachKindHasAnInstalledEmblem() throws {
        for kind in DeviceKind.allCases where kind != .unspecified {
            var activity = try ListedActivity.sample(1, "")
            activity.deviceKind = kind
            let emblem = try #require(activity.emblem)
            let file = "\(String.repository)/Desktop/share/icons/hicolor/scalable/emblems/\(emblem).svg"
            #expect(FileManager.default.isReadableFile(atPath: file), "\(file)")
        }
    }
}
