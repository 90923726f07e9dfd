// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

struct ShownState: Encodable {
    let type: String
    let title: String?
    let userInfo: JSONValue
    let webpageURL: String?
    let referrerURL: String?
    let targetContentIdentifier: String?
    let persistentIdentifier: String?
    let keywords: [String]

    /// Throws `.malformed` if the user info is invalid.
    init(_ state: ActivityState) throws(Failure) {
        type = state.type.name
        title = state.title
        webpageURL = state.webpageURL
        referrerURL = state.referrerURL
        targetContentIdentifier = state.targetContentIdentifier
        persistentIdentifier = state.persistentIdentifier
        keywords = state.keywords
        do throws(WireError) {
            userInfo = JSONValue(state.userInfo.isEmpty ? .dictionary([:]) : try Value(encoded: state.userInfo))
        } catch {
            throw Failure(.malformed, "the other device sent a user info that cannot be read: \(error.reason)")
        }
        if let key = userInfo.sameKeys {
            throw Failure(
                .malformed,
                "the user info that the other device sent cannot be shown as JSON: it has two keys \(key.debugDescription)"
            )
        }
    }
}
