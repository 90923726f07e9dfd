// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Glibc
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

// This process opens the files, not the daemon, so that another device gets only files that the app can read.

extension ActivityCenter {
    /// Then the state is sent with the files that are open.
    private static let atMost: Duration = .seconds(2)
    /// Enough for a daemon that reads other apps' files too.
    private static let perFile: Duration = .milliseconds(200)

    private struct Giving {
        var files: [SavedFile] = []
        var isOver = false
    }

    /// Calls `then` once, in the background, well before `deadline`.
    func giveFiles(
        _ urls: [ExactText], by deadline: ContinuousClock.Instant, then: @escaping @Sendable ([SavedFile]) -> Void
    ) {
        let giving = Lock(Giving())
        let end: @Sendable () -> Void = {
            let files = giving.withLock { giving -> [SavedFile]? in
                defer { giving.isOver = true }
                return giving.isOver ? nil : giving.files
            }
            if let files { then(files) }
        }
        runHook(on: files) {
            for url in urls where giving.withLock({ !$0.isOver }) {
                if let file = self.give(url) { giving.withLock { $0.files.append(file) } }
            }
            end()
        }
        let left = environment.instant().duration(to: deadline)
        environment.wait(max(.zero, min(Self.atMost, left / 2)), end)
    }

    private func give(_ text: ExactText) -> SavedFile? {
        guard let url = try? FileURL(text.text), let connection = state.withLock({ $0.connection }) else { return nil }
        do throws(SystemError) {
            // Without O_NONBLOCK, a named pipe would block this thread.
            let file = try OpenFile.open(following: url.path.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            guard file.isFileOrFolderToRead, let path = file.place.flatMap({ try? AbsolutePath(bytes: $0) }) else {
                logOnce(
                    "an activity names something that is neither a file nor a folder; it is not sent with the activity")
                return nil
            }
            var generator = SystemRandomNumberGenerator()
            let token = FileToken.random(using: &generator)
            let isGiven = connection.give(file, as: token, within: Self.perFile)
            return SavedFile(url: text, path: path, token: isGiven ? token : nil)
        } catch {
            logOnce("a file that an activity names cannot be opened; it is not sent with the activity")
            return nil
        }
    }
}

extension ActivityContent {
    /// The distinct `file:` URLs in `userInfo`, the first in text order up to the limit.
    var fileURLs: [ExactText] {
        var urls: Set<ExactText> = []
        for (key, value) in userInfo ?? [:] {
            key.addFileURLs(to: &urls)
            value.addFileURLs(to: &urls)
        }
        return Array(urls.sorted().prefix(Limits.documents))
    }
}

extension Value {
    fileprivate func addFileURLs(to urls: inout Set<ExactText>) {
        switch self {
        case .url(let text): if FileURL.isOne(text.text) { urls.insert(text) }
        case .array(let items): for item in items { item.addFileURLs(to: &urls) }
        case .set(let members): for member in members { member.addFileURLs(to: &urls) }
        case .dictionary(let entries):
            for (key, value) in entries {
                key.addFileURLs(to: &urls)
                value.addFileURLs(to: &urls)
            }
        case .null, .boolean, .signed, .unsigned, .double, .string, .bytes, .date, .uuid, .document: break
        }
    }
}
