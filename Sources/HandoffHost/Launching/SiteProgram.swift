// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
internal import HandoffSiteMessages
internal import HandoffSystem
internal import HandoffWire

/// One process per query, because a parser of untrusted content must have nothing to lose. docs/decisions/0020.
package final class SiteProgram: SiteFetching {
    package static let name = "handoff-web-fetch"

    /// Differ in tests.
    struct Surroundings {
        var port: UInt16 = 443
        var time = SiteLimits.time
        var addresses: [String] = []
        /// Replaces the system's, PEM.
        var roots: [UInt8] = []
    }

    private static let waiterStackBytes = 256 * 1024

    private let path: String
    private let onLoop: OnLoop
    private let surroundings: Surroundings
    private var running: [UInt64: RunningFetch] = [:]

    /// Used only on the loop of `onLoop`. `executable`: this program's path.
    package convenience init(besides executable: String, onLoop: @escaping OnLoop) {
        self.init(path: CompanionProgram(Self.name, besides: executable).path, in: Surroundings(), onLoop: onLoop)
    }

    init(path: String, in surroundings: Surroundings, onLoop: @escaping OnLoop) {
        self.path = path
        self.surroundings = surroundings
        self.onLoop = onLoop
    }

    package var problems: [String] {
        guard access(path, X_OK) != 0 else { return [] }
        return ["web sites cannot be asked which apps they trust: \(path): \(String(cString: strerror(errno)))"]
    }

    package func fetch(_ fetch: SiteFetch, completion: @escaping (Result<SiteAnswer, SiteFailure>) -> Void) {
        let fetching = RunningFetch(program: path, time: surroundings.time, completion: completion)
        running[fetch.id] = fetching
        let order = SiteOrder(fetch, in: surroundings)
        // Used again only on the loop.
        nonisolated(unsafe) let sites = self
        let isWaiting = DetachedThread.begin(stackBytes: Self.waiterStackBytes) {
            [onLoop, process = fetching.process] in
            let result = process.answer(to: order).flatMap { $0.answer(to: fetch) }
            onLoop { sites.ended(fetch.id, result) }
        }
        if !isWaiting {
            onLoop { sites.ended(fetch.id, .failure(.notAsked("no thread could be created to wait for it"))) }
        }
    }

    private func ended(_ id: UInt64, _ result: Result<SiteAnswer, SiteFailure>) {
        running.removeValue(forKey: id)?.completion(result)
    }

    package func stop() {
        for fetching in running.values { fetching.process.end() }
        running = [:]
    }
}

private struct RunningFetch {
    let process: SiteProcess
    let completion: (Result<SiteAnswer, SiteFailure>) -> Void

    init(program: String, time: Duration, completion: @escaping (Result<SiteAnswer, SiteFailure>) -> Void) {
        process = SiteProcess(program: program, time: time)
        self.completion = completion
    }
}

extension SiteOrder {
    fileprivate init(_ fetch: SiteFetch, in surroundings: SiteProgram.Surroundings) {
        self.init(
            host: fetch.site.host.name, port: surroundings.port, path: fetch.place.path, etag: fetch.etag,
            isAnywhere: fetch.site.reach == .anywhere, time: surroundings.time.milliseconds,
            connectTime: SiteLimits.connectTime.milliseconds, addressCount: UInt32(SiteLimits.addresses),
            fileBytes: UInt32(Limits.associationBytes), answerBytes: UInt32(SiteLimits.answerBytes),
            addresses: surroundings.addresses, roots: surroundings.roots)
    }
}

extension Duration {
    fileprivate var milliseconds: UInt32 { UInt32(self / .milliseconds(1)) }
}

extension SiteReport {
    /// The site may have taken over the program: trust the report only to belong to this query.
    fileprivate func answer(to fetch: SiteFetch) -> Result<SiteAnswer, SiteFailure> {
        switch self {
        case .failed(let problem, let reason):
            return .failure(
                SiteFailure(problem.code, DisplayText(cleaning: reason, limit: Limits.reasonCharacters).text))
        case .answered(let answer):
            let head = SiteHead(
                status: Int(answer.status), contentType: answer.contentType, contentEncoding: answer.contentEncoding,
                contentLength: answer.contentLength.flatMap { Int($0) }, etag: answer.etag)
            do throws(SiteFailure) {
                switch try head.verdict(askedWith: fetch.etag) {
                case .unchanged: return .success(.unchanged)
                case .takeFile:
                    guard answer.body.count <= Limits.associationBytes else { throw .fileTooLarge }
                    return .success(
                        .file(SiteFile(bytes: answer.body, contentType: head.contentType, etag: head.etag)))
                }
            } catch {
                return .failure(error)
            }
        }
    }
}

extension SiteReport.Problem {
    fileprivate var code: SiteFailure.Code {
        switch self {
        case .nameUnknown: .nameUnknown
        case .privateAddress: .privateAddress
        case .unreachable: .unreachable
        case .timedOut: .timedOut
        case .badCertificate: .badCertificate
        case .malformed: .malformed
        case .fileTooLarge, .answerTooLarge: .tooLarge
        }
    }
}
