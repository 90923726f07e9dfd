// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A message in the real Thunderbird, with our add-on in it, between two devices that have the same mail.
@Suite(.serialized, .needsNamespaces) struct MailTests {
    private static let program = "thunderbird"
    /// Thunderbird reads a percent sign in an address as it is. From reports about other programs (thunderlink 12 of mikehardy, 32
    /// of poohsen): a dollar sign, which Outlook uses, was lost in a shell.
    private static let message = "01d46c9d$f87576e0$+1%20=a@example.com"

    private static let inbox = """
        From - Mon Nov 23 10:00:00 2026
        From: Anna <anna@example.com>
        To: Bob <bob@example.com>
        Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?= from the sea
        Message-ID: <\(message)>
        Date: Mon, 23 Nov 2026 10:00:00 +0000
        Content-Type: text/plain

        Hello


        """

    private static let settings = """
        user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
        user_pref("extensions.autoDisableScopes", 0);
        user_pref("extensions.startupScanScopes", 15);
        user_pref("mail.account.account1.server", "server1");
        user_pref("mail.accountmanager.accounts", "account1");
        user_pref("mail.accountmanager.localfoldersserver", "server1");
        user_pref("mail.provider.suppress_dialog_on_startup", true);
        user_pref("mail.server.server1.directory-rel", "[ProfD]Mail/Local Folders");
        user_pref("mail.server.server1.hostname", "Local Folders");
        user_pref("mail.server.server1.name", "Local Folders");
        user_pref("mail.server.server1.type", "none");
        user_pref("mail.server.server1.userName", "nobody");
        user_pref("mail.shell.checkDefaultClient", false);
        user_pref("mailnews.start_page.enabled", false);

        """

    private static let profiles = """
        [Profile0]
        Name=person
        IsRelative=1
        Path=person
        Default=1

        [General]
        StartWithLastProfile=1
        Version=2
        """

    /// Thunderbird shows the inbox when it starts, and so knows its messages.
    private static let session = """
        {"rev": 0, "windows": [{"type": "3pane", "tabs": {"rev": 0, "selectedIndex": 0, "tabs": [{"mode": "mail3PaneTab",
        "state": {"firstTab": true, "folderPaneVisible": true, "messagePaneVisible": true,
        "folderURI": "mailbox://nobody@Local%20Folders/Inbox"}, "ext": {}}]}}]}
        """

    private func begin(on stage: Stage) throws -> Pair {
        let addOn = stage.folder.appending(path: "handoff.xpi")
        _ = try RunningProgram.run([
            Builds.root.appending(path: "Scripts/archive").path,
            Builds.root.appending(path: "Desktop/thunderbird").path,
            addOn.path,
        ])
        let pair = try HomePair.begin(on: stage, screens: true) { device in
            let profile = ".thunderbird/person"
            try device.write(Self.profiles, to: ".thunderbird/profiles.ini")
            try device.write(Self.settings, to: profile + "/user.js")
            try device.write(Self.session, to: profile + "/session.json")
            try device.write(Self.inbox, to: profile + "/Mail/Local Folders/Inbox")
            try device.write(try Data(contentsOf: addOn), to: profile + "/extensions/mail@handoff.xpi")
            // Otherwise, Thunderbird makes a profile for each place where it is installed.
            device.environment["MOZ_LEGACY_PROFILES"] = "1"
        }
        for device in [pair.laptop, pair.desktop] {
            try device.handoff("browser", "install", "firefox")
            try device.handoff("programs", "on", Self.program)
            try device.awaitBusName("org.handoff.Adapters")
            _ = try device.start(program: [Self.program], name: "Thunderbird")
            try device.run(["xdotool", "search", "--sync", "--onlyvisible", "--name", "Inbox"])
        }
        return pair
    }

    // Shows M05.
    @Test(.enabled(if: HomePair.isInstalled(program))) func messageContinues() throws {
        try Stage.play { stage in
            let pair = try begin(on: stage)
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            let watch = try desktop.watchActivities()
            _ = try laptop.start(program: [Self.program, "mid:\(Self.message)"], name: "message")
            let list = try watch.output.next("the message", within: .seconds(30)) { $0.contains("Grüße from the sea") }
            let offer = try #require(try JSON(text: list).elements.first)
            #expect(offer["app"]?.string == "system:\(Self.program)")
            let back = try laptop.watchActivities()
            try desktop.handoff("activity", "continue", try #require(offer["activity"]?.string))
            try back.output.next("the message on the desktop", within: .seconds(30)) {
                $0.contains("Grüße from the sea")
            }
        }
    }
}
