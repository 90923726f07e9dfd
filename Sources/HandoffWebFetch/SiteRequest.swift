// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import Glibc
internal import HandoffSiteMessages

/// One GET over HTTPS to one address. libcurl must not look up, redirect, retry, or use a proxy, cookie or
/// configuration.
struct SiteRequest {
    /// The same on all devices and in all versions.
    static let userAgent = "Handoff"

    enum Outcome {
        case report(SiteReport)
        /// Another address may be reachable.
        case noWay(SiteReport)
    }

    let order: SiteOrder
    let address: InternetAddress
    /// Milliseconds.
    let connectTime: UInt32
    let time: UInt32

    func run() -> Outcome {
        guard let handle = curl_easy_init() else { return .report(.unreachable("libcurl cannot be used")) }
        defer { curl_easy_cleanup(handle) }
        let conversation = SiteConversation(order)
        let lists = [
            curl_slist_append(nil, "\(order.host):\(order.port):\(address.text)"), fields,
        ]
        defer { for list in lists { curl_slist_free_all(list) } }
        guard configure(handle, conversation, place: lists[0], fields: lists[1]) else {
            return .report(.unreachable("libcurl is too old"))
        }
        let code = withExtendedLifetime(conversation) { curl_easy_perform(handle) }
        if let problem = conversation.problem { return .report(problem) }
        if let answer = conversation.answer, conversation.isOver || code == CURLE_OK {
            return .report(.answered(answer))
        }
        let report = SiteReport(explaining: code, of: handle)
        let isOfTheWay = code == CURLE_COULDNT_CONNECT || code == CURLE_OPERATION_TIMEDOUT
        return isOfTheWay && !conversation.isAsked ? .noWay(report) : .report(report)
    }

    private var fields: UnsafeMutablePointer<curl_slist>? {
        var lines = ["Accept: application/json, application/pkcs7-mime", "Connection: close"]
        if let etag = order.etag { lines.append("If-None-Match: \(etag)") }
        return lines.reduce(nil) { curl_slist_append($0, $1) }
    }

    private func configure(
        _ handle: UnsafeMutableRawPointer, _ conversation: SiteConversation, place: UnsafeMutablePointer<curl_slist>?,
        fields: UnsafeMutablePointer<curl_slist>?
    ) -> Bool {
        let port = order.port == 443 ? "" : ":\(order.port)"
        var results = [
            ccurl_set_text(handle, CURLOPT_URL, "https://\(order.host)\(port)\(order.path)"),
            ccurl_set_list(handle, CURLOPT_RESOLVE, place),
            ccurl_set_number(handle, CURLOPT_ADDRESS_SCOPE, Int(address.scope)),
            ccurl_set_text(handle, CURLOPT_PROXY, ""),
            ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0),
            ccurl_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            ccurl_set_number(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
            ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(connectTime)),
            ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(time)),
            ccurl_set_text(handle, CURLOPT_USERAGENT, Self.userAgent),
            ccurl_set_list(handle, CURLOPT_HTTPHEADER, fields),
        ]
        if !order.roots.isEmpty {
            results.append(ccurl_set_bytes(handle, CURLOPT_CAINFO_BLOB, order.roots, order.roots.count))
        }
        // Outlives the request.
        let context = Unmanaged.passUnretained(conversation).toOpaque()
        results += [
            ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context),
            ccurl_set_take(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                SiteConversation.of(context).line(UnsafeRawBufferPointer(start: bytes, count: size * count))
                    ? size * count : 0
            },
            ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context),
            ccurl_set_take(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                SiteConversation.of(context).body(UnsafeRawBufferPointer(start: bytes, count: size * count))
                    ? size * count : 0
            },
            ccurl_set_pointer(handle, CURLOPT_DEBUGDATA, context),
            ccurl_set_watch(handle) { _, kind, _, count, context in
                switch kind {
                case CURLINFO_HEADER_OUT: SiteConversation.of(context).sent()
                case CURLINFO_HEADER_IN, CURLINFO_DATA_IN: SiteConversation.of(context).came(bytes: count)
                default: break
                }
                return 0
            },
            ccurl_set_number(handle, CURLOPT_VERBOSE, 1),
            ccurl_set_pointer(handle, CURLOPT_XFERINFODATA, context),
            ccurl_set_progress(handle) { context, _, _, _, _ in SiteConversation.of(context).mayGoOn() ? 0 : 1 },
            ccurl_set_number(handle, CURLOPT_NOPROGRESS, 0),
        ]
        return results.allSatisfy { $0 == CURLE_OK }
    }
}

extension SiteConversation {
    fileprivate static func of(_ context: UnsafeMutableRawPointer?) -> SiteConversation {
        // Set by `configure`.
        Unmanaged<SiteConversation>.fromOpaque(context!).takeUnretainedValue()
    }
}

extension SiteReport {
    static func unreachable(_ reason: String) -> SiteReport {
        .failed(.unreachable, reason: "it cannot be reached: \(reason)")
    }

    fileprivate init(explaining code: CURLcode, of handle: UnsafeMutableRawPointer) {
        switch code {
        case CURLE_COULDNT_CONNECT:
            let number = ccurl_number(handle, CURLINFO_OS_ERRNO)
            self = .unreachable(number == 0 ? "no server listens there" : String(cString: strerror(CInt(number))))
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_SSL_CONNECT_ERROR: self = .unreachable("it supports no TLS version of this device")
        case CURLE_PEER_FAILED_VERIFICATION:
            // The chain is verified first; a wrong host name has no result code.
            let isOfAnother = ccurl_number(handle, CURLINFO_SSL_VERIFYRESULT) <= 1
            self = .failed(
                .badCertificate,
                reason: isOfAnother
                    ? "its certificate is for another host"
                    : "its certificate has expired, or its issuer is not trusted by this device")
        case CURLE_SSL_CACERT_BADFILE: self = .unreachable("this device's trusted root certificates cannot be read")
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR:
            self = .failed(.malformed, reason: "it closed the connection before sending its whole answer")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            self = .failed(.malformed, reason: "it does not speak HTTP")
        default: self = .unreachable(String(cString: curl_easy_strerror(code)))
        }
    }

    static let timedOut = SiteReport.failed(.timedOut, reason: "it did not answer in time")
}
