#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A port of 127.0.0.1 that nobody else gets for as long as this lives, whether or not anybody listens at it: a socket is
/// bound to it that never does. Another one may listen there that is as open to sharing.
final class ReservedPort: Sendable {
    let number: Int
    private let descriptor: CInt

    /// Why there is no port.
    struct Failure: Error, CustomStringConvertible {
        let code = errno
        var description: String { "no port of 127.0.0.1 is to be had: \(String(cString: strerror(code)))" }
    }

    init() throws {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw Failure() }
        var one: CInt = 1
        #if canImport(Darwin)
            let sharing = SO_REUSEPORT
        #else
            let sharing = SO_REUSEADDR
        #endif
        setsockopt(descriptor, SOL_SOCKET, sharing, &one, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard isBound else {
            let failure = Failure()
            close(descriptor)
            throw failure
        }
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }
}
