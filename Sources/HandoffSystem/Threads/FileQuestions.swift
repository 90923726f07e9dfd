// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Queries files on mounts that may never answer, each on its own thread. The caller waits a limited time.
///
/// A blocked thread cannot be ended, so its path is not queried again until it returns. A path has at most as many
/// blocked threads as it had simultaneous queries.
package final class FileQuestions: Sendable {
    /// Without progress. A disk that must spin up takes less.
    package static let patience = Duration.seconds(10)
    /// Bytes. A parser of property lists recurses.
    private static let stackBytes = 512 * 1024

    private let patience: Duration
    /// Blocked threads, by the path's bytes.
    private let held = Lock<[[UInt8]: Int]>([:])

    package init(patience: Duration = FileQuestions.patience) { self.patience = patience }

    /// Nil without an answer in time, or while an earlier query about that path is unanswered.
    package func answer<Answer: Sendable>(
        about path: String, _ question: @escaping @Sendable (FileProgress) -> Answer
    ) -> Answer? {
        first(of: [path]) { question($1) }?.answer
    }

    /// The first answer that is not nil. Skips paths without an answer in time.
    package func first<Answer: Sendable>(
        of paths: [String], _ question: @escaping @Sendable (String, FileProgress) -> Answer?
    ) -> (path: String, answer: Answer)? {
        var rest = paths
        while !rest.isEmpty {
            let asked = held.withLock { [rest] held in rest.filter { held[Array($0.utf8), default: 0] == 0 } }
            guard !asked.isEmpty else { return nil }
            let inquiry = Inquiry<Answer>()
            let hasBegun = DetachedThread.begin(stackBytes: Self.stackBytes) { [self] in
                if let late = inquiry.ask(asked, question) { count(late, -1) }
            }
            guard hasBegun else { return nil }
            switch inquiry.wait(patience) {
            case .ended(let index, let answer): return index.flatMap { index in answer.map { (asked[index], $0) } }
            case .abandoned(let index):
                count(asked[index], 1)
                rest = Array(asked[(index + 1)...])
            }
        }
        return nil
    }

    /// Negative for a moment if the thread returns before its caller has recorded it.
    private func count(_ path: String, _ change: Int) {
        let path = Array(path.utf8)
        held.withLock { held in
            let count = held[path, default: 0] + change
            held[path] = count == 0 ? nil : count
        }
    }
}

package struct FileProgress: Sendable {
    fileprivate let report: @Sendable () -> Void

    package func made() { report() }
}

/// The paths that one thread queries in order.
//
// Unchecked: the mutex protects all mutable state.
private final class Inquiry<Answer: Sendable>: @unchecked Sendable {
    enum End {
        /// `index`: the path with the answer, if any.
        case ended(index: Int?, Answer?)
        case abandoned(index: Int)
    }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var current = 0
    private var steps = 0
    private var end: End?

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Returns the path at which the caller gave up, if any.
    func ask(_ paths: [String], _ question: (String, FileProgress) -> Answer?) -> String? {
        let progress = FileProgress { [self] in _ = step { steps += 1 } }
        for (index, path) in paths.enumerated() {
            guard step({ (current, steps) = (index, steps + 1) }) else { return paths[current] }
            if let answer = question(path, progress) {
                return step { end = .ended(index: index, answer) } ? nil : path
            }
        }
        return step { end = .ended(index: nil, nil) } ? nil : paths.last
    }

    /// False, without a change, if the caller has given up.
    private func step(_ change: () -> Void) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard end == nil else { return false }
        change()
        pthread_cond_signal(changed)
        return true
    }

    /// Until the thread ends or makes no progress.
    func wait(_ patience: Duration) -> End {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var seen = -1
        var deadline = timespec()
        while true {
            if let end { return end }
            if steps != seen {
                seen = steps
                deadline = .monotonic(in: patience)
            }
            guard pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT, end == nil, steps == seen else {
                continue
            }
            let end = End.abandoned(index: current)
            self.end = end
            return end
        }
    }
}

extension timespec {
    fileprivate static func monotonic(in duration: Duration) -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let (seconds, attoseconds) = duration.components
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    }
}
