#if Network
import NIOCore
import Platform

/// Reserves a port of 127.0.0.1 with a bound socket that never listens, until this object is released. Another socket
/// on the same port may listen.
final class ReservedPort: Sendable {
    let number: Int
    private let descriptor: CInt

    init() throws { (descriptor, number) = try Self.bound(to: 0) }

    deinit { close(descriptor) }

    /// Another socket that is bound to the port. The caller may listen on it and must close it.
    func socketToListen() throws -> CInt { try Self.bound(to: number).descriptor }

    /// A socket that is bound to `port`, or to any free port if `port` is 0. Child processes do not inherit the socket.
    /// Otherwise, they would accept connections after this process has closed the socket.
    private static func bound(to port: Int) throws -> (descriptor: CInt, port: Int) {
        #if canImport(Darwin)
        let (descriptor, sharing) = (socket(AF_INET, SOCK_STREAM, 0), SO_REUSEPORT)
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        #else
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(bitPattern: SOCK_CLOEXEC.rawValue)
        let (descriptor, sharing) = (socket(AF_INET, kind, 0), SO_REUSEADDR)
        #endif
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "reserve a port of 127.0.0.1") }
        var one: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, sharing, &one, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard isBound else {
            defer { close(descriptor) }
            throw IOError(errnoCode: errno, reason: "reserve a port of 127.0.0.1")
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }
}
#endif
