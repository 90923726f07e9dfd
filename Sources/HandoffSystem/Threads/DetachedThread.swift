// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

package enum DetachedThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// False if the system has no thread; `body` then never runs. `stackBytes` nil: the system's default.
    package static func begin(stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void) -> Bool {
        // The program's own threads handle signals.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
        let argument = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        if result != 0 { argument.release() }
        return result == 0
    }

    package static func start(_ body: @escaping @Sendable () -> Void) {
        precondition(begin(body), "this process cannot start another thread")
    }
}
