// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

@main
struct HandoffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "handoff",
        abstract: "Go on with, on this device, what you were doing on another one of yours.",
        discussion: """
            Every command speaks with handoffd, the daemon of this user, and prints JSON with --json.

            Exit codes:
            \(ExitStatus.table)
            """,
        subcommands: [
            StatusCommand.self, AccountCommand.self, DeviceCommand.self, AppCommand.self, TeamCommand.self,
            ActivityCommand.self, PolicyCommand.self, WebCommand.self, BrowserCommand.self,
        ])

    // Here and at the nouns too: what holds for every command can be said at any place.
    @OptionGroup var common: CommonOptions
}

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "The devices that belong together.",
        subcommands: [
            AccountCreate.self, AccountInvite.self, AccountJoin.self, AccountLeave.self, AccountLog.self,
            AccountRecover.self, AccountShow.self,
        ])

    @OptionGroup var common: CommonOptions
}

struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "The devices of the account.",
        subcommands: [DeviceList.self, DeviceRemove.self, DeviceRename.self])

    @OptionGroup var common: CommonOptions
}

struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "The apps that activities can be continued in.",
        subcommands: [AppInstall.self, AppList.self, AppRemove.self, AppSign.self, AppVerify.self])

    @OptionGroup var common: CommonOptions
}

struct TeamCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "team", abstract: "The developers of apps: your own, and those whom you trust.",
        subcommands: [
            TeamCreate.self, TeamExport.self, TeamList.self, TeamTrust.self, TeamDistrust.self,
        ])

    @OptionGroup var common: CommonOptions
}

struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "What is shown to your other devices, and what is taken from them.",
        subcommands: [PolicyShow.self, PolicyOff.self, PolicyOn.self])

    @OptionGroup var common: CommonOptions
}

struct WebCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Which apps go on with pages of which web sites.",
        subcommands: [WebList.self, WebRefresh.self, WebCheck.self, WebChoose.self])

    @OptionGroup var common: CommonOptions
}

struct ActivityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity", abstract: "What you are doing on your devices.",
        subcommands: [ActivityList.self, ActivityContinue.self, ActivityPublish.self])

    @OptionGroup var common: CommonOptions
}

struct BrowserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browser", abstract: "The browsers of this user, and the host that their extension speaks with.",
        subcommands: [BrowserInstall.self, BrowserStatus.self, BrowserRemove.self])

    @OptionGroup var common: CommonOptions
}
