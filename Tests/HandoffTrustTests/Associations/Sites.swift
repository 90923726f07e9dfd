// SPDX-License-Identifier: Apache-2.0

import HandoffWire

@testable import HandoffTrust

enum Sites {
    static let notes = app("NOTES12345.com.example.notes")
    static let photos = app("NOTES12345.com.example.photos")
    /// The same bundle identifier, but a different team.
    static let impostor = app("STRANGER99.com.example.notes")

    static func app(_ name: String) -> AppIdentifier {
        do { return try AppIdentifier(name) } catch { preconditionFailure("not an app: \(error)") }
    }

    static func host(_ name: String) -> WebHost {
        do { return try WebHost(name) } catch { preconditionFailure("not a host: \(error)") }
    }
}

extension SiteAssociation {
    init(_ json: String) throws { try self.init(json: Array(json.utf8)) }

    /// A file with one entry that names the notes app.
    init(components: String, variables: String = "{}", defaults: String = "{}") throws {
        try self.init(
            """
            {"applinks": {"defaults": \(defaults), "substitutionVariables": \(variables),
             "details": [{"appIDs": ["\(Sites.notes)"], "components": \(components)}]}}
            """)
    }

    /// A file of the old form.
    init(paths: String) throws {
        try self.init(
            #"{"applinks": {"apps": [], "details": [{"appID": "\#(Sites.notes)", "paths": \#(paths)}]}}"#)
    }

    func links(_ path: String, for app: AppIdentifier = Sites.notes) throws -> AssociationVerdict {
        verdict(for: app, service: .appLinks, url: try WebURL("https://example.com" + path))
    }

    func opens(_ path: String, in app: AppIdentifier = Sites.notes) throws -> Bool {
        try links(path, for: app).isApproved
    }
}
