/// The files of a cache folder, as three functions. Only the storage layer writes files, so whoever composes the
/// program brings them.
public struct CacheFiles: Sendable {
    /// The content of a file; `nil` when there is none or it cannot be read.
    public var read: @Sendable (_ name: String) -> [UInt8]?
    /// Puts a file in place, whole or not at all.
    public var write: @Sendable (_ name: String, _ bytes: [UInt8]) throws -> Void
    /// Removes a file; one that is not there is no error.
    public var remove: @Sendable (_ name: String) throws -> Void
    /// The names of all files, in no order; empty where the folder cannot be listed, so that nothing in it is too old.
    public var names: @Sendable () -> [String]

    /// A folder by its functions.
    public init(
        read: @escaping @Sendable (_ name: String) -> [UInt8]?,
        write: @escaping @Sendable (_ name: String, _ bytes: [UInt8]) throws -> Void,
        remove: @escaping @Sendable (_ name: String) throws -> Void,
        names: @escaping @Sendable () -> [String]
    ) {
        self.names = names
        self.read = read
        self.write = write
        self.remove = remove
    }
}

/// A change to the cache that can wait until the values are on the screen.
public enum CacheWrite: Sendable, Hashable {
    /// Put this content in place.
    case write(name: String, bytes: [UInt8])
    /// Put this record in place. Copies that it has otherwise than the record on disk stay as they are there: another run
    /// has stored them since.
    case amend(name: String, record: [UInt8])
    /// Remove the file.
    case remove(name: String)

    /// The file that it is about.
    var name: String {
        switch self {
        case .write(let name, _), .amend(let name, _), .remove(let name): name
        }
    }
}

extension CacheFiles {
    /// The same files as they will be when some writes are done.
    func after(_ writes: [CacheWrite]) -> CacheFiles {
        guard !writes.isEmpty else { return self }
        var result = self
        result.read = { [read] name in
            writes.filter { $0.name == name }.reduce(read(name)) { bytes, write in
                switch write {
                case .write(_, let bytes): bytes
                case .amend(_, let record): CacheRecord.amended(bytes, by: record)
                case .remove: nil
                }
            }
        }
        return result
    }
}
