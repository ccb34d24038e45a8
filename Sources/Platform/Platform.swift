#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Android)
@_exported public import Android
#elseif canImport(Bionic)
@_exported public import Bionic
#else
@_exported public import Darwin
#endif

extension stat {
    /// When the content was changed last, in nanoseconds since 1970 UTC.
    public var modifiedNanoseconds: Int64 {
        #if canImport(Darwin)
        let time = st_mtimespec
        #else
        let time = st_mtim
        #endif
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
