/// Why a transport sends no requests: an environment variable, which the sentence names, is not valid.
public struct TransportObjection: Error, Hashable, Sendable {
    /// The variable.
    public let variable: String
    /// What is wrong, and how to fix it; without secrets.
    public let sentence: String
}

extension TransportSettings {
    /// The errors in the settings. Reads the file of certificate authorities to find them.
    public var objections: [TransportObjection] {
        guard case .authorities(let path) = trust else { return proxies.objections }
        do throws(TransportObjection) {
            _ = try Authorities.certificates(in: path)
            return proxies.objections
        } catch {
            return proxies.objections + [error]
        }
    }
}
