// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

struct ActivityChoice {
    let id: String?
    /// A name, or the beginning of an id.
    let device: String?
    /// Only the receiver of the state can get the stream.
    var needsStream = false
    /// Even if an app could continue it.
    var needsPage = false
    /// Whether those that only a script could read are the last choice.
    var prefersApps = false

    /// `activities`: newest first. Asks only on a terminal, and only if there are several.
    func choose(from activities: [ListedActivity], asking: Bool) throws(CommandFailure) -> ListedActivity {
        let offered = activities.filter { !$0.isFromThisDevice && $0.isOf(device) }
        guard let id else {
            let useful = offered.filter(isOfUse)
            let preferred = prefersApps ? useful.filter { !$0.lacksItsApp } : []
            return try chooseNewest(from: preferred.isEmpty ? useful : preferred, asking: asking)
        }
        let matches = try ActivityPrefix(text: id).matches(
            in: offered, by: \.offer.activity, nothing: "no activity on another device",
            several: "several activities", advice: "run: handoff activity list --all")
        let first = try Self.chooseDevice(from: matches, asking: asking)
        if needsPage, !first.offer.hasWebPage {
            throw CommandFailure(.failed, code: "noApp", "this activity has no web page")
        }
        if case .nothing(let reason) = first.target { throw CommandFailure(.failed, code: "noApp", reason) }
        if needsStream { try checkStream(of: first) }
        return first
    }

    /// The same id on several devices is ambiguous. Do not take the newest: any member could offer it.
    static func chooseDevice(
        from matches: [ListedActivity], asking: Bool
    ) throws(CommandFailure) -> ListedActivity {
        guard Set(matches.map(\.device)).count > 1 else { return matches[0] }
        guard asking else {
            throw CommandFailure(
                .failed, code: "\(Failure.Code.severalDevices)", "several devices have an activity with this id",
                advice: "name the device: --device NAME, as handoff activity list --all shows it")
        }
        return try ask(matches, hasDefault: false)
    }

    private func isOfUse(_ activity: ListedActivity) -> Bool {
        activity.isContinuable && (!needsPage || activity.offer.hasWebPage)
            && (!needsStream || (activity.offer.supportsStreams && !activity.goesToAnApp))
    }

    private func checkStream(of activity: ListedActivity) throws(CommandFailure) {
        guard !activity.goesToAnApp else {
            let app = activity.targetName.isEmpty ? "an app" : activity.targetName.text
            throw CommandFailure(
                .failed, code: "noStreams", "\(app) continues this activity here and receives its streams itself")
        }
        guard activity.offer.supportsStreams else {
            throw CommandFailure(.failed, code: "noStreams", "this activity has no stream")
        }
    }

    private func chooseNewest(
        from activities: [ListedActivity], asking: Bool
    ) throws(CommandFailure) -> ListedActivity {
        guard let newest = activities.first else {
            throw CommandFailure(
                .failed, code: "activityGone",
                "no other device offers anything that can be continued here" + (needsStream ? " with a stream" : "")
                    + (needsPage ? " with a web page" : ""),
                advice: "run: handoff activity list --all")
        }
        return asking && activities.count > 1 ? try Self.ask(activities) : newest
    }

    /// Requires a terminal. An empty answer selects the first, if there is a default.
    static func ask(_ activities: [ListedActivity], hasDefault: Bool = true) throws(CommandFailure) -> ListedActivity {
        let names = DeviceNames(activities)
        for (number, activity) in activities.enumerated() {
            Output.ask("\(number + 1)  \(ShownActivity(activity, among: names).words)\n")
        }
        Output.ask(hasDefault ? "which one? [1] " : "which one? ")
        let answer = (readLine() ?? "").filter { !$0.isWhitespace }
        guard let number = answer.isEmpty && hasDefault ? 1 : Int(answer), activities.indices.contains(number - 1)
        else {
            throw .usage("the list has no number \(DisplayText(cleaning: answer, limit: 16))")
        }
        return activities[number - 1]
    }
}

extension ListedActivity {
    /// A name, or the beginning of an id; nil: any.
    func isOf(_ device: String?) -> Bool {
        guard let device else { return true }
        return deviceName.text.lowercased() == device.lowercased()
            || (!device.isEmpty && self.device.description.hasPrefix(device.uppercased()))
    }

    /// Only a script could continue it here.
    var lacksItsApp: Bool { target == .script && offer.bundle != nil }

    fileprivate var goesToAnApp: Bool {
        if case .app = target { true } else { false }
    }
}

struct ActivityPrefix {
    let text: String

    func first<Item>(
        of items: [Item], by id: (Item) -> ActivityID, nothing: String, several: String, advice: String
    ) throws(CommandFailure) -> Item {
        try matches(in: items, by: id, nothing: nothing, several: several, advice: advice)[0]
    }

    /// At least one match, all with one id. `nothing` and `several` begin the error messages.
    func matches<Item>(
        in items: [Item], by id: (Item) -> ActivityID, nothing: String, several: String, advice: String
    ) throws(CommandFailure) -> [Item] {
        let found = items.filter { id($0).hex.hasPrefix(text.lowercased()) }
        guard let first = found.first else {
            throw CommandFailure(
                .failed, code: "activityGone", "\(nothing) has an id that begins with \(text)", advice: advice)
        }
        guard found.allSatisfy({ id($0) == id(first) }) else {
            throw .usage("\(several) have an id that begins with \(text); give more of it")
        }
        return found
    }
}
