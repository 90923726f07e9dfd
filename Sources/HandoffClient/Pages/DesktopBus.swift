// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// For a few sequential calls, on a thread that may block.
struct DesktopBus: ~Copyable {
    enum Answer: Hashable, Sendable {
        case done
        /// No program does it, or the bus forbids the call.
        case absent
        /// The error's D-Bus name.
        case refused(String)
        case late
    }

    /// For connecting.
    static let patience = Duration.seconds(5)
    /// Bytes.
    private static let errorBytes = 255
    private static let errors = "org.freedesktop.DBus.Error."
    /// For unknown names, objects and methods.
    private static let absences: Set<String> = [
        "AccessDenied", "NameHasNoOwner", "NotSupported", "ServiceUnknown", "UnknownInterface", "UnknownMethod",
        "UnknownObject",
    ]

    private let bus: OpaquePointer

    static func address(_ environment: [String: String]) -> String? {
        if let said = environment["DBUS_SESSION_BUS_ADDRESS"], !said.isEmpty { return said }
        return environment["XDG_RUNTIME_DIR"].map { "unix:path=\(escaped($0))/bus" }
    }

    /// Percent-encodes bytes with a meaning in a D-Bus address.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            if byte < 0x80, scalar.properties.isAlphabetic || "0123456789-_/.*".unicodeScalars.contains(scalar) {
                return String(scalar)
            }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Nil if the session has no bus, or the bus refuses this program.
    init?(_ environment: [String: String]) {
        guard let address = Self.address(environment),
            let bus = chandoff_bus_open(address, UInt64(Self.patience / .microseconds(1)))
        else { return nil }
        self.bus = bus
    }

    deinit { chandoff_bus_close(bus) }

    func askPortal(toOpen url: String, token: String?, within time: Duration) -> Answer {
        call(
            "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.OpenURI",
            "OpenURI", url: url, isList: false, token, time)
    }

    func ask(_ program: String, at path: String, toOpen url: String, token: String?, within time: Duration) -> Answer {
        call(program, path, "org.freedesktop.Application", "Open", url: url, isList: true, token, time)
    }

    func activate(_ program: String, at path: String, within time: Duration) -> Answer {
        call(program, path, "org.freedesktop.Application", "Activate", url: nil, isList: false, nil, time)
    }

    private func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, url: String?, isList: Bool,
        _ token: String?, _ time: Duration
    ) -> Answer {
        var name = [CChar](repeating: 0, count: Self.errorBytes + 1)
        let result = chandoff_bus_open_url(
            bus, destination, path, interface, member, url, isList ? 1 : 0, token, UInt64(time / .microseconds(1)),
            &name, name.count)
        guard result != 0 else { return .done }
        let error = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        if result == -ETIMEDOUT || error == Self.errors + "NoReply" { return .late }
        return Self.isAbsence(error) ? .absent : .refused(error)
    }

    private static func isAbsence(_ error: String) -> Bool {
        // The service manager starts some programs, unless their unit is masked. An empty name, or libsystemd's, means
        // that the bus connection has ended.
        if error.isEmpty || error.hasPrefix("System.Error.") || error.hasPrefix("org.freedesktop.systemd1.") {
            return true
        }
        guard error.hasPrefix(errors) else { return false }
        let name = String(error.dropFirst(errors.count))
        return absences.contains(name) || name == "Disconnected" || name.hasPrefix("Spawn.")
    }
}
