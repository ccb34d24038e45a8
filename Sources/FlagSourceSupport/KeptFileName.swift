import FlagModel

/// Names of the files that are kept of a source.
package enum KeptFileName {
    /// The name that belongs to what tells a source from every other: a hash of it, in hexadecimal. A name by itself could
    /// hold a slash, or be longer than a file system takes.
    package static func of(_ identity: String) -> String { String(FNV1a.hash(of: Array(identity.utf8)), radix: 16) }
}
