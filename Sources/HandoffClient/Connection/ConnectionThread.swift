// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A detached thread of its own beside those of the app or command.
package enum ConnectionThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    package static func start(_ body: @escaping @Sendable () -> Void) {
        precondition(begin(body), "this process cannot have another thread")
    }

    /// False if the system gives no other thread.
    static func begin(_ body: @escaping @Sendable () -> Void) -> Bool {
        // The app's signals are the app's: none is to be handled on this thread.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        var thread = pthread_t()
        let argument = Unmanaged.passRetained(Body(body))
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        guard result == 0 else {
            argument.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
