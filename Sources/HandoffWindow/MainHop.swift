// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffClient

/// Does not use the main dispatch queue, because GLib does not drain it.
enum MainHop {
    static let hop: DaemonClient.Hop = { work in
        g_idle_add_full(
            G_PRIORITY_DEFAULT,
            { data in
                if let data {
                    Unmanaged<Closure>.fromOpaque(data).takeRetainedValue().work()
                }
                return 0
            }, Unmanaged.passRetained(Closure(work)).toOpaque(), nil)
    }

    private final class Closure: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
}

@MainActor
final class Repeating {
    private final class Body {
        let run: @MainActor () -> Void
        init(_ run: @escaping @MainActor () -> Void) { self.run = run }
    }

    private let source: guint

    init(seconds: Int, _ run: @escaping @MainActor () -> Void) {
        source = g_timeout_add_seconds_full(
            G_PRIORITY_DEFAULT, guint(seconds),
            { data in
                if let data {
                    let body = Unmanaged<Body>.fromOpaque(data).takeUnretainedValue()
                    // The main loop runs on the main thread.
                    nonisolated(unsafe) let here = body
                    MainActor.assumeIsolated { here.run() }
                }
                return 1
            }, Unmanaged.passRetained(Body(run)).toOpaque(),
            { data in if let data { Unmanaged<Body>.fromOpaque(data).release() } })
    }

    isolated deinit { g_source_remove(source) }
}
