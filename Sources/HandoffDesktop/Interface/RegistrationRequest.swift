// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffWire

struct RegistrationRequest {
    static let options: Set<String> = ["name", "launch-token", "receives"]

    /// Nil: no app.
    let app: BundleID?
    /// An object path.
    let callbacks: String
    private let name: DisplayText
    private let launchToken: LaunchToken?
    private let receives: Bool

    init(
        _ message: BusMessage, options: (BusValue?) throws(BusFailure) -> [String: BusValue]
    ) throws(BusFailure) {
        let (id, options) = (message[0]?.text ?? "", try options(message[2]))
        callbacks = message[1]?.text ?? "/"
        receives = options["receives"]?.flag ?? true
        do throws(WireError) {
            app = id.isEmpty ? nil : try BundleID(appOrProgram: id)
            // Empty if the daemon did not start it.
            let token = options["launch-token"]?.text ?? ""
            launchToken = token.isEmpty ? nil : try LaunchToken(hex: token)
        } catch {
            throw BusFailure(BusFailure.invalidArguments, error.reason)
        }
        name = DisplayText(cleaning: options["name"]?.text ?? id, limit: Limits.nameCharacters)
    }

    /// An app's identifier may be its name on the bus; a system program's cannot.
    var busName: String? { app.flatMap { $0.isSystemProgram ? nil : $0.name } }

    func hello(of found: CallerIdentity.Found) -> LocalHello {
        let shown = DisplayText(cleaning: found.shownName, limit: Limits.nameCharacters)
        return LocalHello(
            role: .app, bundle: app, name: name.isEmpty ? shown : name, launchToken: launchToken, receives: receives,
            caller: found.caller)
    }
}
