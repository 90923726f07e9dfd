// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff
internal import HandoffClient

/// A class that the Info.plist names as `Module.Class`.
///
/// `$(PRODUCT_MODULE_NAME)`, in Xcode's templates, means the module of the application's delegate, or else the module
/// named after the program.
@MainActor
enum NamedClass {
    private static let placeholder = "$(PRODUCT_MODULE_NAME)"

    static func find(_ name: String) -> AnyClass? {
        guard name.contains(placeholder) else { return NSClassFromString(name) }
        for module in modules {
            if let found = NSClassFromString(name.replacing(placeholder, with: module)) { return found }
        }
        return nil
    }

    private static var modules: [String] {
        let application = ActivityCenter.current.handler as? UIApplication
        let delegates = (application?.delegate).map { String(reflecting: type(of: $0)).prefix { $0 != "." } }
        let program = ThisProcess.current.executable.split(separator: "/").last
        return [delegates.map(String.init), program.map { identifier(String($0)) }].compactMap(\.self)
    }

    /// The module name that the build derives from a product's name.
    static func identifier(_ name: String) -> String {
        let text = String(name.unicodeScalars.map { $0.properties.isXIDContinue ? Character($0) : "_" })
        guard let first = text.unicodeScalars.first, !first.properties.isXIDStart, first != "_" else { return text }
        return "_" + text
    }
}
