// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// Which of the listed activities a person means.
struct ActivityChoice {
    /// The beginning of an activity's hexadecimal id.
    let id: String?
    /// A device's name, or the beginning of its id.
    let device: String?
    /// Its stream is wanted, which only goes to whom the state goes too.
    var needsStream = false
    /// Its web page is wanted, whoever else could continue it.
    var needsPage = false

    /// The newest is first in `activities`. Asks only on a terminal, and only if there is a choice.
    func choose(from activities: [ListedActivity], asking: Bool) throws(CommandFailure) -> ListedActivity {
        let offered = activities.filter { !$0.isFromThisDevice && matchesDevice($0) }
        guard let id else { return try chooseNewest(from: offered.filter(isOfUse), asking: asking) }
        // One activity may be on several devices; the newest of them counts.
        let first = try ActivityPrefix(text: id).first(
            of: offered, by: \.offer.activity, telling: \.offer.activity, nothing: "no activity on another device",
            several: "several activities", advice: "run: handoff activity list --all")
        if needsPage, !first.offer.hasWebPage {
            throw CommandFailure(.failed, code: "noApp", "this activity has no web page")
        }
        if case .nothing(let reason) = first.target { throw CommandFailure(.failed, code: "noApp", reason) }
        if needsStream { try checkStream(of: first) }
        return first
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

    private func matchesDevice(_ activity: ListedActivity) -> Bool {
        guard let device else { return true }
        return activity.deviceName.text.lowercased() == device.lowercased()
            || (!device.isEmpty && activity.device.description.hasPrefix(device.uppercased()))
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

    /// At a terminal. The first is taken where nothing is answered.
    static func ask(_ activities: [ListedActivity]) throws(CommandFailure) -> ListedActivity {
        let names = DeviceNames(activities)
        for (number, activity) in activities.enumerated() {
            Output.ask("\(number + 1)  \(ShownActivity(activity, among: names).words)\n")
        }
        Output.ask("which one? [1] ")
        let answer = (readLine() ?? "").filter { !$0.isWhitespace }
        guard let number = answer.isEmpty ? 1 : Int(answer), activities.indices.contains(number - 1) else {
            throw .usage("there is no number \(DisplayText(cleaning: answer, limit: 16))")
        }
        return activities[number - 1]
    }
}

extension ListedActivity {
    fileprivate var goesToAnApp: Bool {
        if case .app = target { true } else { false }
    }
}
