// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffClient
internal import HandoffGTKCalls
internal import HandoffWindowModel

/// By systemd's user manager, over D-Bus. Waits until systemd's job has ended.
@MainActor
final class ServiceStarter {
    private static let manager = "org.freedesktop.systemd1"
    private static let path = "/org/freedesktop/systemd1"
    private static let interface = "org.freedesktop.systemd1.Manager"
    /// Seconds. systemd gives a service 90 to start.
    private static let patience = 100

    private var connection: OpaquePointer?
    private var subscription: guint = 0
    private var bound: Repeating?
    private var job: String?
    /// Results of jobs. A short job may end before its path is known.
    private var ended: [String: String] = [:]
    private var answer: (@MainActor (ServiceStart.Problem?) -> Void)?

    /// `answer` is called once. Nil: the service runs.
    func start(_ answer: @escaping @MainActor (ServiceStart.Problem?) -> Void) {
        guard self.answer == nil else { return }
        self.answer = answer
        bound = Repeating(seconds: Self.patience) { [weak self] in self?.finish(.failed) }
        g_bus_get(
            G_BUS_TYPE_SESSION, nil, GTKAnswer.callback,
            GTKAnswer.data { [weak self] result in
                let connection = g_bus_get_finish(result, nil)
                guard let self, self.answer != nil, let connection else {
                    if let connection { g_object_unref(connection.raw) }
                    self?.finish(.noServiceManager)
                    return
                }
                self.connection = connection
                ask(connection)
            })
    }

    private func ask(_ connection: OpaquePointer) {
        subscription = g_dbus_connection_signal_subscribe(
            connection, Self.manager, Self.interface, "JobRemoved", Self.path, nil, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, values, data in
                guard let data, let values else { return }
                let starter = Unmanaged<ServiceStarter>.fromOpaque(data).takeUnretainedValue()
                let (job, result) = (text(1, of: values), text(3, of: values))
                // GIO calls back on the thread that subscribed, which is the main thread.
                MainActor.assumeIsolated { starter.removed(job, result) }
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in if let data { Unmanaged<ServiceStarter>.fromOpaque(data).release() } })
        // systemd sends signals of jobs to subscribers only.
        call(connection, "Subscribe", nil) { _ in }
        var arguments: [OpaquePointer?] = [g_variant_new_string(DaemonStart.service), g_variant_new_string("replace")]
        call(connection, "StartUnit", g_variant_new_tuple(&arguments, gsize(arguments.count))) { [weak self] answer in
            switch answer {
            case .values(let job):
                self?.job = job
                self?.check()
            case .refused(let problem): self?.finish(problem)
            }
        }
    }

    private enum Answer {
        case values(String)
        case refused(ServiceStart.Problem)
    }

    private func call(
        _ connection: OpaquePointer, _ method: String, _ arguments: OpaquePointer?,
        _ answer: @escaping @MainActor (Answer) -> Void
    ) {
        g_dbus_connection_call(
            connection, Self.manager, Self.path, Self.interface, method, arguments, nil,
            G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nil, GTKAnswer.callback,
            GTKAnswer.data { result in
                var error: UnsafeMutablePointer<GError>?
                let values = g_dbus_connection_call_finish(connection, result, &error)
                defer { g_clear_error(&error) }
                guard let values else { return answer(.refused(Self.problem(error))) }
                defer { g_variant_unref(values) }
                answer(.values(g_variant_n_children(values) == 0 ? "" : text(0, of: values)))
            })
    }

    private static func problem(_ error: UnsafeMutablePointer<GError>?) -> ServiceStart.Problem {
        guard let error, let name = g_dbus_error_get_remote_error(error) else { return .noServiceManager }
        defer { g_free(name) }
        return switch String(cString: name) {
        case "org.freedesktop.systemd1.NoSuchUnit": .notInstalled
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
            .noServiceManager
        default: .failed
        }
    }

    private func removed(_ job: String, _ result: String) {
        ended[job] = result
        check()
    }

    private func check() {
        if let job, let result = ended[job] { finish(result == "done" ? nil : .failed) }
    }

    private func finish(_ problem: ServiceStart.Problem?) {
        guard let answer else { return }
        self.answer = nil
        bound = nil
        (job, ended) = (nil, [:])
        if let connection {
            if subscription != 0 { g_dbus_connection_signal_unsubscribe(connection, subscription) }
            g_object_unref(connection.raw)
        }
        (connection, subscription) = (nil, 0)
        answer(problem)
    }
}

/// A string or an object path. Empty if it is neither.
private func text(_ index: Int, of values: OpaquePointer) -> String {
    guard index < g_variant_n_children(values), let value = g_variant_get_child_value(values, gsize(index)) else {
        return ""
    }
    defer { g_variant_unref(value) }
    return g_variant_get_string(value, nil).map { String(cString: $0) } ?? ""
}
