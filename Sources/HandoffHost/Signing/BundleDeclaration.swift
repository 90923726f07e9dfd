// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem
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
        let info = try InfoPropertyList.read(at: infoPath).content
        let identifier = try info.identifier.required(.identifier, in: infoPath)
        do throws(WireError) {
            bundle = try BundleID(identifier)
        } catch {
            throw BundleProblem("\(InfoPropertyList.CodingKeys.identifier.rawValue) in \(infoPath): \(error.reason)")
        }
        version = DisplayText(cleaning: info.version ?? "", limit: BundleLimits.versionCharacters).text
        entitlements = try Self.entitlements(path + "/" + BundlePath.entitlements.text)
    }

    private static func entitlements(_ path: String) throws(BundleProblem) -> BundleEntitlements {
        let list: EntitlementsPropertyList
        do throws(PropertyListFile.Problem) {
            guard let read = try PropertyListFile(path: path).decode(EntitlementsPropertyList.self) else {
                return .none
            }
            list = read
        } catch {
            throw BundleProblem(error)
        }
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
