// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

package enum Audience: String, Hashable, Sendable, CaseIterable {
    case app
    /// An app that is not installed, or a script.
    case script
    case browser
    /// handoff-bus, for programs on the user's bus. May do more than an app and less than the user's tools.
    case busProgram
    case control
}

/// Excludes answers to the daemon's requests.
package enum Permission: Hashable, Sendable {
    case everybody
    /// `deed` names the action in the error.
    case only([Audience], deed: String)
    case nobody
}

extension LocalMessage {
    /// A new message does not compile without a line here.
    package var permission: Permission {
        switch self {
        case .advertising(let message):
            switch message {
            case .publish, .withdraw, .withhold, .changed: .everybody
            case .deleteSaved: .only([.app, .script], deed: "delete what an app saved")
            case .listActivities: .only([.browser, .control], deed: "see what other devices offer")
            case .save, .saved, .activityList: .nobody
            }
        case .continuation(let message):
            switch message {
            case .startContinuation: .only([.browser, .busProgram, .control], deed: "start a continuation")
            case .progress, .outcome, .willContinue, .continueActivity, .didFail, .wasContinued: .nobody
            }
        case .documents(let message):
            switch message {
            case .listFolders: .only([.control], deed: "see where the documents of apps are stored")
            case .mapFolder, .unmapFolder: .only([.control], deed: "choose where the documents of apps are stored")
            case .showContainers: .only([.app], deed: "have containers")
            case .listVersions: .only([.app, .control], deed: "see what was replaced")
            case .restoreVersion: .only([.app, .control], deed: "restore what was replaced")
            case .downloadDocument: .only([.app], deed: "fetch a document")
            case .cancelContinuation:
                .only([.app, .browser, .busProgram, .control], deed: "cancel a continuation")
            case .folderList, .containers, .versionList, .documentComing, .documentPlaced, .documentProgress: .nobody
            }
        case .history(let message):
            switch message {
            case .searchHistory, .listTransfers: .only([.control], deed: "search what was done on this device")
            case .openHistory, .openSearch: .only([.control], deed: "open what was done on this device")
            case .forgetHistory: .only([.control], deed: "forget what was done on this device")
            case .changeIndex, .fetchClientState: .only([.app], deed: "index items")
            case .setDesktopPrivacy: .only([.control], deed: "say what the desktop keeps")
            case .historyList, .historyForgotten, .clientState, .transferList: .nobody
            }
        case .identity(let message):
            switch message {
            case .createAccount: .only([.control], deed: "create an account")
            case .joinAccount, .confirmJoin: .only([.control], deed: "join an account")
            case .listNearby: .only([.control], deed: "see which devices nearby can be joined")
            case .recoverAccount: .only([.control], deed: "recover the account")
            case .showRecoveryKey, .confirmRecoveryKey, .newRecoveryKey:
                .only([.control], deed: "see or replace the recovery key")
            case .leaveAccount: .only([.control], deed: "leave the account")
            case .createInvite: .only([.control], deed: "invite a device")
            case .answerJoin: .only([.control], deed: "admit a device")
            case .renameDevice: .only([.control], deed: "rename a device")
            case .removeDevice: .only([.control], deed: "remove a device")
            case .showAccount, .showLog: .only([.control], deed: "see who is in the account")
            case .listDevices: .only([.browser, .control], deed: "see who is in the account")
            case .account, .invite, .joinAsked, .joinLeft, .inviteUsed, .nearbyList, .joinNumber, .device, .deviceList,
                .log:
                .nobody
            }
        case .launching(let message):
            switch message {
            case .listApps: .only([.browser, .control], deed: "see which apps are installed")
            case .reloadApps: .only([.control], deed: "reload the installed apps")
            case .preferApp: .only([.control], deed: "choose which app continues activities")
            case .appList: .nobody
            }
        case .phones(let message):
            switch message {
            case .setPhones: .only([.control], deed: "report which phones can be reached")
            case .listPhones: .only([.browser, .control], deed: "see which phones can be reached")
            case .sendToPhone: .only([.control], deed: "send a file or any page to a phone")
            case .phoneList, .handedToPhone, .shareWithPhone: .nobody
            }
        case .policy(let message):
            switch message {
            case .showPolicy: .only([.control], deed: "see what is switched off")
            case .setPolicy: .only([.control], deed: "change what is switched off")
            case .policy: .nobody
            }
        case .presence(let message):
            switch message {
            case .setPresence: .only([.control], deed: "report whether the user is present")
            case .setSleep: .only([.control], deed: "report that the machine sleeps")
            }
        case .sending(let message):
            switch message {
            case .sendActivity: .only([.busProgram, .control], deed: "send an activity to another device")
            case .sendPage: .only([.browser], deed: "send a page to another device")
            case .listSends: .only([.busProgram, .control], deed: "see what is sent to other devices")
            case .unsendActivity:
                .only([.browser, .busProgram, .control], deed: "take back what is sent to another device")
            case .dismissSent: .only([.busProgram, .control], deed: "dismiss what was sent to this device")
            case .sendList: .nobody
            }
        case .status(let message):
            switch message {
            case .getStatus: .only([.browser, .control], deed: "see the daemon's status")
            case .explainOffer: .only([.control], deed: "ask why something is offered")
            case .status, .explanation: .nobody
            }
        case .streams(let message):
            switch message {
            case .openStream: .only([.app, .control], deed: "open a stream")
            case .streamEnded: .only([.app, .script, .control], deed: "end a stream")
            // `attachStream` opens its own connection.
            case .streamTicket, .streamWanted, .attachStream: .nobody
            }
        case .teams(let message):
            switch message {
            case .trustTeam: .only([.control], deed: "trust a team")
            case .distrustTeam: .only([.control], deed: "stop trusting a team")
            case .listTeams: .only([.control], deed: "see which teams are trusted")
            case .teamList: .nobody
            }
        case .webChoices(let message):
            switch message {
            case .listWebChoices: .only([.control], deed: "see what was chosen for the pages of sites")
            case .chooseForHost: .only([.control], deed: "choose what continues the pages of a site")
            case .webChoices: .nobody
            }
        case .webLinks(let message):
            switch message {
            case .listSites, .checkWebPage: .only([.control], deed: "see which sites apps claim")
            case .refreshSites: .only([.control], deed: "ask sites again")
            case .siteList, .webPageCheck: .nobody
            }
        case .hello, .welcome, .failure, .done: .nobody
        // Answered as unknown.
        case .unknown: .everybody
        case .unreadable(let kind, _): kind.permission
        }
    }

    func refusal(to audience: Audience) -> Failure? {
        switch permission {
        case .everybody: return nil
        case .only(let allowed, _) where allowed.contains(audience): return nil
        case .only(let allowed, let deed):
            return Failure(.notAllowed, "\(audience) may not \(deed); only \(allowed.listed) may")
        case .nobody: return .notForTheDaemon
        }
    }
}

extension Failure {
    static let notForTheDaemon = Failure(.notAllowed, "no client may send that to the daemon")
}

extension [Audience] {
    fileprivate var listed: String {
        let names = map(\.plural)
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension Audience: CustomStringConvertible {
    package var description: String {
        switch self {
        case .app: "an app"
        case .script: "a program that is not an installed app"
        case .browser: "a browser"
        case .busProgram: "a program on the user's bus"
        case .control: "a tool of the user"
        }
    }

    fileprivate var plural: String {
        switch self {
        case .app: "apps"
        case .script: "programs that are not installed apps"
        case .browser: "browsers"
        case .busProgram: "programs on the user's bus"
        case .control: "the user's own tools"
        }
    }
}
