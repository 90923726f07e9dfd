// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem
package import HandoffTrust
package import HandoffWire

/// From a bundle's property lists. The manifest repeats them.
package struct BundleDeclaration {
    let bundle: BundleID
    let version: String
    package let entitlements: BundleEntitlements
    /// As signed before `com.apple.developer.icloud-container-identifiers` was supported.
    let formerEntitlements: BundleEntitlements

    /// Throws `.malformed` naming the fault.
    package static func read(_ path: String) throws(Failure) -> BundleDeclaration {
        do throws(BundleProblem) {
            return try BundleDeclaration(bundle: path)
        } catch {
            throw Failure(.malformed, DisplayText(cleaning: error.reason, limit: Limits.reasonCharacters).text)
        }
    }

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
        let entitlementsPath = path + "/" + BundlePath.entitlements.text
        let list: EntitlementsPropertyList?
        do throws(PropertyListFile.Problem) {
            list = try PropertyListFile(path: entitlementsPath).decode(EntitlementsPropertyList.self)
        } catch {
            throw BundleProblem(error)
        }
        guard let list else {
            (entitlements, formerEntitlements) = (.none, .none)
            return
        }
        entitlements = try Self.entitlements(list, list.containers, in: entitlementsPath)
        formerEntitlements = try Self.entitlements(list, list.ubiquityContainers ?? [], in: entitlementsPath)
    }

    private static func entitlements(
        _ list: EntitlementsPropertyList, _ containers: [String], in path: String
    ) throws(BundleProblem) -> BundleEntitlements {
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
                team: team, associatedDomains: list.associatedDomains ?? [], ubiquityContainers: containers)
        } catch {
            throw BundleProblem("\(path): \(error)")
        }
    }
}
