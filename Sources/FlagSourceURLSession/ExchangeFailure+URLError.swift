import FlagRemote
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ExchangeFailure {
    /// The error for any failure of a request.
    ///
    /// - Parameters:
    ///   - hasHead: whether the headers of the response had arrived.
    ///   - isStream: whether the response is a stream.
    func error(_ error: any Error, hasHead: Bool = false, isStream: Bool = false) -> SourceError {
        switch error {
        case let error as SourceError: error
        case is CancellationError: .cancelled(request.source)
        case is TimeLimitExceeded: tooSlow
        case is Exchanges.UnreadLimitExceeded:
            failure(.tooLarge, "more than \(limits.bodySize) bytes of the stream arrived before they were read")
        case let error as URLError:
            error.code == .timedOut
                ? silent(isStream: isStream) : self.error(error, otherwise: hasHead ? incomplete : reset)
        default: broken(" (\(type(of: error))); retry later")
        }
    }

    private func error(_ error: URLError, otherwise lost: SourceError) -> SourceError {
        switch error.code {
        case .cancelled: .cancelled(request.source)
        case .badURL: failure(.rejected, "not a valid URL; check the address of the source")
        case .cannotFindHost, .dnsLookupFailed: unknownHost
        case .cannotConnectToHost: refused
        case .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed, .callIsActive: noRoute
        case .networkConnectionLost, .badServerResponse, .zeroByteResource: lost
        case .cannotDecodeRawData, .cannotDecodeContentData: damaged
        case .cannotParseResponse, .unsupportedURL: notHTTP
        case .appTransportSecurityRequiresSecureConnection:
            failure(.insecure, "App Transport Security blocks http to \(place); use https, or except it in Info.plist")
        case .serverCertificateHasBadDate, .serverCertificateNotYetValid, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot:
            untrusted
        case .secureConnectionFailed, .clientCertificateRequired, .clientCertificateRejected:
            tls("the TLS handshake failed")
        case .unknown: self.error(curl: error.localizedDescription) ?? lost
        default: broken(" (\(error.code.rawValue)); retry later")
        }
    }

    /// The error for a text of curl. FoundationNetworking reports most errors as unknown, with such a text.
    private func error(curl text: String) -> SourceError? {
        let text = text.lowercased()
        if text.contains("certificate") { return untrusted }
        let isHandshake = ["ssl_connect", "ssl connect", "tls connect", "wrong version"].contains(where: text.contains)
        if isHandshake { return tls("the TLS handshake failed") }
        if text.contains("encoding") { return damaged }
        return nil
    }
}
