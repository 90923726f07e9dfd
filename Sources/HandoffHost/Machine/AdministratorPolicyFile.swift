// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc
package import HandoffCore
package import HandoffSystem
internal import HandoffWire
package import Logging

/// The administrator's policy, `/etc/handoff/policy.json`:
///
///     {"advertising": false, "apps": {"com.example.notes": {"receiving": false}}}
///
/// `false` switches off; `true`, or an absent key, leaves it to the user. `"managed": true` marks an organization's
/// device. An unknown key is an error.
package final class AdministratorPolicyFile: AdministratorRules {
    /// No user's flag, such as the daemon's root, bypasses it.
    static let standardPath = "/etc/handoff/policy.json"
    package static let bytes = 64 * 1024
    private static let watcherStackBytes = 64 * 1024

    /// Without an inotify watch: the user's programs may have taken all.
    static let lookAgain = Duration.seconds(30)

    private let path: String
    private let lookAgain: Duration
    private let makeWatch: @Sendable (String) -> FolderWatch
    private let log: Logger
    private let onLoop: OnLoop
    private var changed: () -> Void = {}

    /// `makeWatch`: watches all changes in a folder.
    package init(
        path: String = AdministratorPolicyFile.standardPath, lookAgain: Duration = AdministratorPolicyFile.lookAgain,
        makeWatch: @escaping @Sendable (String) -> FolderWatch = { FolderWatch(folder: $0, for: .changes) },
        log: Logger,
        onLoop: @escaping OnLoop
    ) {
        self.path = path
        self.lookAgain = lookAgain
        self.makeWatch = makeWatch
        self.log = log
        self.onLoop = onLoop
    }

    package func read() -> AdministratorPolicy {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try OpenFile.open(path, O_RDONLY | O_NONBLOCK).readAll(limit: Self.bytes)
        } catch {
            guard error.code != ENOENT, error.code != ENOTDIR else { return AdministratorPolicy() }
            return unreadable(error.code == EFBIG ? "it is larger than \(Self.bytes) bytes" : error.reason)
        }
        do {
            return try JSONDecoder().decode(RuledPolicy.self, from: Data(bytes)).policy
        } catch let problem as RuledPolicy.Problem {
            return unreadable(problem.reason)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            return unreadable("\(context.codingPath.map(\.stringValue).joined(separator: ".")) is not true or false")
        } catch {
            return unreadable("it is not a JSON object")
        }
    }

    private func unreadable(_ why: String) -> AdministratorPolicy {
        AdministratorPolicy(problem: "\(path) cannot be used, so everything is off: \(why)")
    }

    package func watch(_ changed: @escaping () -> Void) {
        self.changed = changed
        // Used again only on the loop.
        nonisolated(unsafe) let file = self
        let first = makeWatch(path.parent)
        let isWatching = DetachedThread.begin(stackBytes: Self.watcherStackBytes) {
            [onLoop, makeWatch, lookAgain, folder = path.parent] in
            var watch = first
            while true {
                while watch.waitForChange() { onLoop { file.changed() } }
                onLoop { file.sayThatItIsBlind() }
                repeat {
                    poll(nil, 0, lookAgain.pollMilliseconds)
                    watch = makeWatch(folder)
                    onLoop { file.changed() }
                } while watch.isBlind
            }
        }
        if !isWatching {
            log.warning("Changes to the administrator's policy cannot be watched", metadata: ["path": "\(path)"])
        }
    }

    private func sayThatItIsBlind() {
        log.warning(
            "Changes to the administrator's policy cannot be watched; it is read from time to time",
            metadata: ["path": "\(path)", "every": "\(lookAgain)"])
    }
}

private struct RuledPolicy: Decodable {
    struct Problem: Error { let reason: String }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
        static let apps = Key(stringValue: "apps")
        static let managed = Key(stringValue: "managed")
    }

    private(set) var policy = AdministratorPolicy()

    init(from decoder: any Decoder) throws {
        let content = try decoder.container(keyedBy: Key.self)
        try readDirections(in: content, of: nil, besides: [Key.apps.stringValue, Key.managed.stringValue])
        policy.isManaged = try content.decodeIfPresent(Bool.self, forKey: .managed) ?? false
        guard content.contains(.apps) else { return }
        let apps = try content.nestedContainer(keyedBy: Key.self, forKey: .apps)
        for key in apps.allKeys {
            guard let bundle = try? BundleID(appOrProgram: key.stringValue) else {
                throw Problem(reason: "\"\(key.stringValue)\" is not a bundle identifier")
            }
            try readDirections(in: try apps.nestedContainer(keyedBy: Key.self, forKey: key), of: bundle, besides: [])
        }
    }

    private mutating func readDirections(
        in content: KeyedDecodingContainer<Key>, of bundle: BundleID?, besides others: [String]
    ) throws {
        for key in content.allKeys where !others.contains(key.stringValue) {
            guard let direction = HandoffDirection(word: key.stringValue) else {
                throw Problem(reason: "\"\(key.stringValue)\" is none of advertising, receiving and history")
            }
            if try !content.decode(Bool.self, forKey: key) {
                policy.off.insert(PolicySubject(direction, of: bundle))
            }
        }
    }
}
