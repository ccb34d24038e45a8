/// Why a transport sends no requests: an environment variable is not valid.
public struct TransportWarning: Error, Hashable, Sendable {
    /// The name of the variable.
    public let variable: String
    /// The message: what is wrong, and how to fix it; without secrets.
    public let sentence: String
}

extension TransportSettings {
    /// The errors in the settings. Reads the file of certificate authorities to find them.
    public var invalidReasons: [TransportWarning] {
        guard case .authorities(let path) = trust else { return proxies.invalidReasons }
        do throws(TransportWarning) {
            _ = try Authorities.certificates(in: path)
            return proxies.invalidReasons
        } catch {
            return proxies.invalidReasons + [error]
        }
    }
}
