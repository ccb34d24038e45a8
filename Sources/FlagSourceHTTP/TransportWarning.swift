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
        #if Network
        if case .authorities(let path) = trust {
            do throws(TransportWarning) {
                _ = try Self.authorities(in: path)
            } catch {
                return proxies.invalidReasons + [error]
            }
        }
        #endif
        return proxies.invalidReasons
    }
}
