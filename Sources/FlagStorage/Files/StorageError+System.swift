#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension StorageError {
    /// Runs `body` and tells its failure as one to write `path`, with the old content intact.
    static func writing<Result: ~Copyable>(
        _ path: String, _ body: () throws(SystemError) -> Result
    ) throws(StorageError) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw writing(path, error)
        }
    }

    /// Runs `body` and tells its failure as one to read `path`.
    static func reading<Result: ~Copyable>(
        _ path: String, _ body: () throws(SystemError) -> Result
    ) throws(StorageError) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw reading(path, error)
        }
    }

    /// A failure to write `path`, with the old content intact.
    static func writing(_ path: String, _ cause: SystemError) -> StorageError {
        let code = writeCode(cause)
        return StorageError(
            code: code,
            path: path,
            sentence: "Cannot write \(path): \(cause.text). The file is as it was. \(advice(code))"
        )
    }

    /// A failure to read `path`.
    static func reading(_ path: String, _ cause: SystemError) -> StorageError {
        StorageError(
            code: .cannotRead,
            path: path,
            sentence: "Cannot read \(path): \(cause.text). Nothing was changed. Check its owner and permissions."
        )
    }

    /// Something of another `kind` stands where the file `path` should be.
    static func notAFile(_ path: String, _ kind: FileStatus.Kind) -> StorageError {
        StorageError(
            code: .notAFile,
            path: path,
            sentence:
                "\(path) is \(kind.rawValue), not a file. It was left alone. Move it away, or choose another folder."
        )
    }

    /// The file `path` is larger than `limit` bytes.
    static func tooLarge(_ path: String, limit: Int) -> StorageError {
        StorageError(
            code: .tooLarge,
            path: path,
            sentence: "\(path) is larger than \(limit) bytes. It was not read and not changed. Make it smaller."
        )
    }

    /// A newer version, writing `format`, wrote the file `path`.
    static func newerFormat(_ path: String, format: Int) -> StorageError {
        StorageError(
            code: .newerFormat,
            path: path,
            sentence: "\(path) was written by a newer version (format \(format), this one writes "
                + "\(OverrideFile.format)). It was not changed. Update flagmenu, or choose another folder."
        )
    }

    private static func writeCode(_ cause: SystemError) -> Code {
        switch cause.code {
        case ENOSPC, EDQUOT, EFBIG: .noSpace
        case EROFS, EACCES, EPERM: .readOnly
        case EISDIR, ENOTDIR: .notAFile
        default: .cannotWrite
        }
    }

    private static func advice(_ code: Code) -> String {
        switch code {
        case .noSpace: "Free some space, then try again."
        case .readOnly: "Make the folder writable, or choose another one."
        case .notAFile: "Move away what stands in its place, or choose another folder."
        default: "Check the disk, then try again."
        }
    }
}
