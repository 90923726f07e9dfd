// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A detached thread with one thing to do.
struct DetachedThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private let work: Work

    init(_ body: @escaping @Sendable () -> Void) { work = Work(body) }

    /// False where the system has no thread to give.
    func run(stackBytes: Int) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackBytes)
        let handle = Unmanaged.passRetained(work)
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { pointer in
                Unmanaged<Work>.fromOpaque(pointer!).takeRetainedValue().body()
                return nil
            }, handle.toOpaque())
        if result != 0 { handle.release() }
        return result == 0
    }
}
