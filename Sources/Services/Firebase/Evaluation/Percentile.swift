#if Network
import Crypto
#endif

/// The position of a client among all clients, in millionths of a percent: 0 to 99,999,999.
package enum Percentile {
    /// One hundred percent (`evaluate_percent_condition` of firebase_admin/remote_config.py 7.5.0).
    package static let whole = 100_000_000

    /// The position of a client with an id: the SHA-256 of `seed.id`, or of the id if the seed is empty, modulo
    /// ``whole``; `nil` in a build without the trait `Network`, which has no SHA-256.
    package static func micro(seed: String, id: String) -> Int? {
        #if Network
        var hash = SHA256()
        let text = Array((seed.isEmpty ? id : "\(seed).\(id)").utf8)
        text.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().reduce(0) { ($0 * 256 + Int($1)) % whole }
        #else
        return nil
        #endif
    }
}
