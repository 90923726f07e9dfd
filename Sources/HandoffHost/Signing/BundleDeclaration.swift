// SPDX-License-Identifier: Apache-2.0

package import HandoffTrust
package import HandoffWire

/// What a bundle says of itself in its property lists, as far as the manifest repeats it.
package struct BundleDeclaration {
    let bundle: BundleID
    let version: String
    package let entitlements: BundleEntitlements

    /// Throws `.malformed` naming what is wrong with the property lists.
    package static func read(_ path: String) throws(Failure) -> BundleDeclaration {
        do throws(BundleProblem) {
            return try BundleDeclaration(bundle: path)
        } catch {
            throw Failure(.malformed, DisplayText(cleaning: error.reason, limit: Limits.reasonCharacters).text)
        }
    }

    /// `path` is the bundle's folder.
    init(bundle path: String) throws(BundleProblem) {
        let infoPath = path + "/" + BundlePath.infoPropertyList.text
        guard let info = try PropertyListFile(path: infoPath).decode(InfoPropertyList.self) else {
            throw BundleProblem("there is no \(infoPath)")
        }
        do throws(WireError) {
            bundle = try BundleID(info.identifier)
        } catch {
            throw BundleProblem("\(InfoPropertyList.CodingKeys.identifier.rawValue) in \(infoPath): \(error.reason)")
        }
        version = DisplayText(cleaning: info.version ?? "", limit: BundleLimits.versionCharacters).text
        entitlements = try Self.entitlements(path + "/" + BundlePath.entitlements.text)
    }

    private static func entitlements(_ path: String) throws(BundleProblem) -> BundleEntitlements {
        guard let list = try PropertyListFile(path: path).decode(EntitlementsPropertyList.self) else { return .none }
        var team: TeamID?
        if let name = list.team {
            do throws(WireError) {
                team = try TeamID(name)
            } catch {
                throw BundleProblem("\(EntitlementsPropertyList.CodingKeys.team.rawValue) in \(path): \(error.reason)")
            }
        }
        do throws(ManifestRejection) {
            return try BundleEntitlements(
                team: team, associatedDomains: list.associatedDomains ?? [],
                ubiquityContainers: list.ubiquityContainers ?? [])
        } catch {
            throw BundleProblem("\(path): \(error)")
        }
    }
}
