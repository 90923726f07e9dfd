// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension SiteAssociation {
    /// The caller has verified the app's signature, its claim, and that `url` is of the site.
    package func verdict(
        for app: AppIdentifier, service: AssociationService, url: WebURL
    ) -> AssociationVerdict {
        var steps = Steps(isWanted: false)
        return decide(app, service, url, &steps)
    }

    package func explanation(
        for app: AppIdentifier, service: AssociationService, url: WebURL
    ) -> AssociationExplanation {
        var steps = Steps(isWanted: true)
        let verdict = decide(app, service, url, &steps)
        return AssociationExplanation(verdict: verdict, steps: steps.kept, stepsLeftOut: steps.leftOut)
    }

    /// Equal for all addresses.
    package func continues(_ app: AppIdentifier) -> Bool {
        guard case .read(let apps) = continuingApps else { return false }
        return apps.contains(ExactText(app.description))
    }

    private func decide(
        _ app: AppIdentifier, _ service: AssociationService, _ url: WebURL, _ steps: inout Steps
    ) -> AssociationVerdict {
        switch service {
        case .activityContinuation:
            switch continuingApps {
            case .absent: return .refused(.serviceAbsent(service))
            case .unusable(let reason): return .refused(.serviceUnusable(service, reason: reason))
            case .read(let apps): return Self.decide(app, among: apps, &steps)
            }
        case .appLinks:
            switch appLinks {
            case .absent: return .refused(.serviceAbsent(service))
            case .unusable(let reason): return .refused(.serviceUnusable(service, reason: reason))
            case .read(let links): return links.decide(app, url, &steps)
            }
        case .webCredentials, .appClips: return .refused(.serviceAbsent(service))
        }
    }

    private static func decide(
        _ app: AppIdentifier, among apps: [ExactText?], _ steps: inout Steps
    ) -> AssociationVerdict {
        let name = ExactText(app.description)
        for (index, listed) in apps.enumerated() {
            func place() -> String { "activitycontinuation.apps[\(index)]" }
            guard listed != name else {
                steps.add(place(), "names the app")
                return .approved(.init(place: place(), pattern: "any address", comment: nil))
            }
            steps.add(place(), listed.map { "names another app, \($0)" } ?? "names no app")
        }
        return .refused(.appNotListed(.activityContinuation))
    }
}

struct Steps {
    let isWanted: Bool
    private(set) var kept: [AssociationExplanation.Step] = []
    private(set) var leftOut = 0

    init(isWanted: Bool) { self.isWanted = isWanted }

    mutating func add(_ place: @autoclosure () -> String, _ finding: @autoclosure () -> String) {
        guard isWanted else { return }
        guard kept.count < AssociationLimits.steps else {
            leftOut += 1
            return
        }
        let clean = DisplayText(cleaning: finding(), limit: Limits.reasonCharacters).text
        kept.append(AssociationExplanation.Step(place: place(), finding: clean))
    }
}

extension AppLinks {
    fileprivate func decide(_ app: AppIdentifier, _ url: WebURL, _ steps: inout Steps) -> AssociationVerdict {
        let name = ExactText(app.description)
        var candidate = CandidateURL(url)
        var effort = Effort()
        var isListed = false
        // Unless a later component excludes the address: docs/decisions/0032.
        var granted: AssociationVerdict.Match?
        for (index, entry) in entries.enumerated() {
            guard entry.apps?.contains(name) ?? true else {
                steps.add(place(of: index), entry.content == .nobody ? "names no app" : "is about other apps")
                continue
            }
            switch entry.content {
            case .nobody: steps.add(place(of: index), "is null, and is ignored")
            case .unusable(let reason):
                steps.add(place(of: index), "cannot be used: \(reason)")
                return .refused(
                    .entryUnusable(reason: DisplayText(cleaning: reason, limit: Limits.reasonCharacters).text))
            case .components(let components):
                isListed = true
                if components.isEmpty { steps.add(place(of: index), "is about the app, but lists no address") }
                var form = candidate.form(CandidateURL.Comparison())
                for number in components.indices {
                    // In place: copying and retaining cost more than most matches.
                    if components[number].comparison != form.comparison {
                        form = candidate.form(components[number].comparison)
                    }
                    let fit = components[number].fit(&candidate, form, &effort)
                    guard !effort.isSpent else { return .refused(.tooCostly) }
                    if case .not = fit, !steps.isWanted { continue }
                    let component = components[number]
                    func place() -> String { "\(self.place(of: index)).\(entry.list)[\(number)]" }
                    steps.add(
                        place(),
                        "\(component.summary): \(fit.finding(component.excludes))\(entry.remark(on: component))")
                    if case .not = fit { continue }
                    if let granted, !component.excludes {
                        if fit == .surely { return .approved(granted) }
                        continue
                    }
                    let match = AssociationVerdict.Match(
                        place: place(), pattern: component.summary, comment: component.comment)
                    if component.excludes { return .refused(.excluded(match)) }
                    if fit == .surely { return .approved(match) }
                    granted = match
                }
            }
        }
        if let granted { return .approved(granted) }
        return .refused(isListed ? .noMatch : .appNotListed(.appLinks))
    }
}

extension AppLinks.Entry {
    /// Advice on a path with a `#`, or that looks like a NOT.
    fileprivate func remark(on component: LinkComponent) -> String {
        guard let text = component.path?.text.utf8 else { return "" }
        if text.contains(UInt8(ascii: "#")) {
            return "; # is not part of a path, but begins the fragment: "
                + "an item of components with the key \"#\" is meant"
        }
        guard list == "paths" else { return "" }
        func isBlank(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        if component.excludes, isBlank(text.first) {
            return "; NOT must be followed by exactly one space, and this path begins with another"
        }
        let word = text.drop(while: isBlank).prefix(4)
        guard String(decoding: word.prefix(3), as: UTF8.self).lowercased() == "not", isBlank(word.dropFirst(3).first)
        else { return "" }
        return "; this is a path and not a NOT, which must be in capitals, at the beginning, and followed by one space"
    }
}

extension LinkComponent.Fit {
    fileprivate func finding(_ excludes: Bool) -> String {
        switch self {
        case .not(let part): "\(part.name) does not match"
        case .surely: excludes ? "matches, and excludes the address" : "matches"
        case .loosely(let looseness):
            "matches \(looseness.name), \(excludes ? "and excludes it" : "and applies unless a later one excludes it")"
        }
    }
}
