// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffStrings
package import HandoffWire

package struct SettingsPage: Hashable, Sendable {
    var policy = PolicySummary()
    /// Apps and system programs, by name. Nil: not known yet.
    private(set) var installed: [AppSummary]?
    package var teams: [TeamSummary] = []
    package var sites: [SiteSummary] = []
    package var choices: [WebChoice] = []

    mutating func heard(_ message: LocalMessage) {
        switch message {
        case .policy(.policy(let summary)): policy = summary
        case .launching(.appList(let list, _)):
            installed = list.sorted { $0.name.text < $1.name.text }
        case .teams(.teamList(let list)): teams = list
        case .webLinks(.siteList(let list)): sites = list
        case .webChoices(.webChoices(let list)): choices = list
        default: break
        }
    }

    package var apps: [AppSummary] { (installed ?? []).filter { !$0.bundle.isSystemProgram } }
    package var programs: [AppSummary] { (installed ?? []).filter(\.bundle.isSystemProgram) }

    package var hasSites: Bool { !sites.isEmpty || !choices.isEmpty }

    // MARK: Text

    package func line(_ direction: HandoffDirection, of app: BundleID? = nil, _ strings: LocalizedStrings) -> SwitchLine
    {
        let subject = PolicySubject(direction, of: app)
        let off = policy.off.filter { $0.subject == subject }
        let isByAdministrator = off.contains { $0.isByAdministrator }
        let title: Word =
            switch (direction, app) {
            case (.advertising, nil): .offers
            case (.receiving, nil): .receives
            case (.advertising, _): .appOffers
            case (.receiving, _): .appReceives
            case (.history, nil): .keeps
            case (.history, _): .appKeeps
            }
        let until = off.lazy.compactMap(\.until).first
        return SwitchLine(
            subject: subject, title: strings[title],
            details: isByAdministrator
                ? strings[.byAdministrator] : until.map { strings(.offUntil, $0.localClock) } ?? "",
            isOn: off.isEmpty, isChangeable: !isByAdministrator && policy.problem == nil)
    }

    package func programLines(_ strings: LocalizedStrings) -> [SwitchLine] {
        programs.map { program in
            var line = line(.advertising, of: program.bundle, strings)
            line.title = program.name.text
            line.isOn = line.isOn && policy.programs.contains(program.bundle)
            if line.details.isEmpty, let known = KnownProgram.of(program.bundle) {
                line.details =
                    switch known.content {
                    case .document: strings[.programOffersDocument]
                    case .folder: strings[.programOffersFolder]
                    case .mail: strings[.programOffersMail]
                    case .media, .webMedia: strings[.programOffersMedia]
                    case .point: strings[.programOffersPoint]
                    case .terminal: strings[.programOffersTerminal]
                    case .text: strings[known.interface == .report ? .programOffersText : .programOffersFile]
                    }
            }
            return line
        }
    }

    /// For each kind of content that several programs here can continue.
    package func preferenceLines(_ strings: LocalizedStrings) -> [PreferredProgramLine] {
        let known = programs.compactMap { app in KnownProgram.of(app.bundle).map { (content: $0.content, app: app) } }
        return ProgramContent.allCases.compactMap { content in
            let apps = known.filter { $0.content == content }.map(\.app)
            guard apps.count > 1 else { return nil }
            return PreferredProgramLine(
                content: content, title: strings[content.word], titles: [strings[.automatic]] + apps.map(\.name.text),
                programs: apps.map(\.bundle), selected: (apps.firstIndex(where: \.isPreferred) ?? -1) + 1)
        }
    }

    package func details(of app: AppSummary, _ strings: LocalizedStrings) -> String {
        if !app.isTrusted { return strings[.notTrusted] }
        return app.isInDevelopment ? strings[.inDevelopment] : app.teamName?.text ?? ""
    }

    package func siteLines(_ strings: LocalizedStrings) -> [SiteLine] {
        let chosen = Dictionary(choices.map { ($0.host, $0.taker) }, uniquingKeysWith: { first, _ in first })
        let names = Dictionary(apps.map { ($0.bundle, $0.name.text) }, uniquingKeysWith: { first, _ in first })
        let claimed = sites.map { (host: $0.host, apps: $0.apps) }
        let known = Set(claimed.map(\.host))
        // A choice for a site that no app claims can still be removed.
        let others = choices.filter { !known.contains($0.host) }.map { (host: $0.host, apps: [BundleID]()) }
        return (claimed + others).map { site in
            var takers: [WebTaker?] = [nil] + site.apps.map { .app($0) } + [.browser]
            if let taker = chosen[site.host], !takers.contains(taker) { takers.insert(taker, at: 1) }
            let titles = takers.map { taker in
                switch taker {
                case nil: strings[.automatic]
                case .browser?: strings[.browser]
                case .app(let app)?: names[app] ?? app.name
                }
            }
            return SiteLine(
                host: site.host, titles: titles, takers: takers,
                selected: takers.firstIndex(of: chosen[site.host]) ?? 0)
        }
    }
}

package protocol Switchable {
    var title: String { get }
    var details: String { get }
    var isOn: Bool { get }
    var isChangeable: Bool { get }
}

package struct SwitchLine: Hashable, Sendable, Switchable {
    package var subject: PolicySubject
    package var title: String
    package var details: String
    package var isOn: Bool
    /// False: set by the administrator.
    package var isChangeable: Bool

    package func turned(on: Bool) -> LocalMessage? {
        guard isChangeable, on != isOn else { return nil }
        return .policy(.setPolicy(PolicyChange(subject, isOff: !on)))
    }
}

package struct PreferredProgramLine: Hashable, Sendable {
    var content: ProgramContent
    var title: String
    /// The first is the rule without a choice.
    var titles: [String]
    /// Those of the other titles.
    var programs: [BundleID]
    package var selected: Int

    package var choice: ChoiceLine {
        ChoiceLine(
            key: content.rawValue, title: title, details: "", titles: titles, values: titles.map(SettingValue.text),
            selected: selected, isChangeable: true)
    }

    package func chose(_ index: Int) -> LocalMessage? {
        guard titles.indices.contains(index), index != selected else { return nil }
        return index == 0
            ? .launching(.preferApp(programs[selected - 1], isPreferred: false))
            : .launching(.preferApp(programs[index - 1], isPreferred: true))
    }
}

extension ProgramContent {
    fileprivate var word: Word {
        switch self {
        case .document: .contentDocument
        case .folder: .contentFolder
        case .mail: .contentMail
        case .media: .contentMedia
        case .point: .contentPoint
        case .terminal: .contentTerminal
        case .text: .contentText
        case .webMedia: .contentWebMedia
        }
    }
}

package struct SiteLine: Hashable, Sendable {
    var host: WebHost
    package var titles: [String]
    /// Nil: the default rules.
    var takers: [WebTaker?]
    package var selected: Int

    package var choice: ChoiceLine {
        ChoiceLine(
            key: host.name, title: host.name, details: "", titles: titles, values: titles.map(SettingValue.text),
            selected: selected, isChangeable: true)
    }

    package func chose(_ index: Int) -> LocalMessage? {
        guard takers.indices.contains(index), index != selected else { return nil }
        return .webChoices(.chooseForHost(host, takers[index]))
    }
}
