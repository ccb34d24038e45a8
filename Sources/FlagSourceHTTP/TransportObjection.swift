/// Why a transport asks nobody: a variable of the environment, which the sentence names, cannot be followed.
public struct TransportObjection: Error, Hashable, Sendable {
    /// The variable.
    public let variable: String
    /// What is wrong, and what to do; without secrets.
    public let sentence: String
}

extension TransportSettings {
    /// What of the settings cannot be followed. The file of authorities is read for that.
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
