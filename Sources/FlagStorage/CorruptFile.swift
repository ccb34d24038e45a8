import FlagModel
import Platform

/// A damaged override file that is renamed before it is replaced, so that nothing in it is lost.
struct CorruptFile {
    /// The path of the copy: `overrides.json.corrupt-20261121T100000Z`, with a number appended if that exists.
    let path: String
    private let original: String
    private let files: FileOperations

    /// How many names are tried; so many damaged files in one second would be an attack.
    private static let nameLimit = 1000

    /// Gives the file `original` a second name, durably.
    ///
    /// It keeps its own name until it is replaced, so that the file exists at any time.
    init(keeping original: String, at time: Timestamp, files: FileOperations) throws(StorageError) {
        let stamp = time.rfc3339.filter { $0 != "-" && $0 != ":" }
        self.original = original
        self.files = files
        path = try StorageError.writing(original) { () throws(SystemError) in
            try Self.name(original, "\(original).corrupt-\(stamp)", files: files)
        }
        do throws(SystemError) {
            let folder = try OpenFile(reading: FilePath.folder(of: original), files: files)
            if let error = Folders.synchronize(folder) { throw error }
        } catch {
            putBack()
            throw .writing(original, error)
        }
    }

    /// Writes the new file; see ``DurableFile/replace(_:with:durability:audience:isLocked:files:)``. If that fails, the
    /// damaged one has only its own name again.
    func replace(with bytes: [UInt8]) throws(StorageError) -> String? {
        do throws(StorageError) {
            return try DurableFile.replace(original, with: bytes, isLocked: true, files: files)
        } catch {
            putBack()
            throw error
        }
    }

    /// Undoes the move, after the new file could not be written. If that fails too, both names stay.
    private func putBack() {
        let here = try? files.statusIfPresent(original)
        let kept = try? files.statusIfPresent(path)
        if let here, let kept, here.isSameFile(as: kept) {
            _ = try? files.remove(path)
        } else if here == nil {
            _ = try? files.rename(path, original)
        }
    }

    private static func name(_ original: String, _ wanted: String, files: FileOperations) throws(SystemError) -> String
    {
        for number in 1...nameLimit {
            let path = number == 1 ? wanted : "\(wanted)-\(number)"
            do throws(SystemError) {
                try uninterrupted { () throws(SystemError) in try files.link(original, path) }
                return path
            } catch {
                if error.code == EEXIST { continue }
            }
            // Not every file system supports hard links. Only a writer with the lock makes these names, so there is no
            // race.
            if try files.statusIfPresent(path) == nil {
                try uninterrupted { () throws(SystemError) in try files.rename(original, path) }
                return path
            }
        }
        throw SystemError(call: "link", code: EEXIST)
    }
}
