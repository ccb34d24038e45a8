import FlagModel
import Platform

extension StorageError {
    /// An error whose sentence ends with the whole path, so that the cause stays visible if a row truncates the
    /// sentence.
    init(_ code: Code, _ path: String, _ sentence: String) {
        self.init(code: code, path: path, sentence: "\(sentence) (\(path))")
    }

    /// The result of a `step`. Its error becomes the error that `path` was not written and its old content is intact.
    static func duringWrite<Result>(
        of path: String, _ step: @autoclosure () throws(SystemError) -> Result
    ) throws(StorageError) -> Result {
        do throws(SystemError) {
            return try step()
        } catch {
            throw writing(path, error)
        }
    }

    /// The result of a `step`. Its error becomes the error that `path` cannot be read.
    static func duringRead<Result>(
        of path: String, _ step: @autoclosure () throws(SystemError) -> Result
    ) throws(StorageError) -> Result {
        do throws(SystemError) {
            return try step()
        } catch {
            throw reading(path, error)
        }
    }

    /// The error that `path` was not written and its old content is intact.
    package static func writing(_ path: String, _ cause: SystemError) -> StorageError {
        let code = writeCode(cause)
        return StorageError(
            code, path, "\(cause.text): \(quotedName(path)) was not written. \(advice(cause, code))")
    }

    /// The error that `path` cannot be read.
    static func reading(_ path: String, _ cause: SystemError) -> StorageError {
        StorageError(
            .cannotRead, path,
            "\(cause.text): \(quotedName(path)) was not read. Nothing was changed. Check its owner and permissions.")
    }

    /// The error that `store` cannot be written, because the file `path` that a write needs cannot be opened.
    static func opening(_ path: String, toWrite store: String, _ cause: SystemError) -> StorageError {
        let code = writeCode(cause)
        return StorageError(
            code: code, path: path,
            sentence: "\(cause.text): \(quotedName(path)) was not opened, so \(quotedName(store)) is unchanged. "
                + "\(openingAdvice(cause, code)) (\(path), for \(store))")
    }

    /// The error that `path` has this `kind` instead of being a regular file, so that `store` cannot be written.
    static func notAFile(_ path: String, _ kind: FileStatus.Kind, toWrite store: String? = nil) -> StorageError {
        StorageError(
            code: .notAFile, path: path,
            sentence: "\(quotedName(path)) is \(kind.rawValue), not a file. It was not changed"
                + (store.map { ", and \(quotedName($0)) is unchanged" } ?? "")
                + ". Move it away, or choose another folder. (\(path)\(store.map { ", for \($0)" } ?? ""))")
    }

    /// The error that the folder for the file `path` is missing.
    static func noFolder(_ folder: String, for path: String) -> StorageError {
        StorageError(
            .cannotWrite, path,
            "There is no folder \(folder): \(quotedName(path)) was not written. Create it, or choose another name.")
    }

    /// The error that the file `path` is larger than `limit` bytes.
    static func tooLarge(
        _ path: String, limit: Int, advice: String = "Make it smaller, or move it away."
    ) -> StorageError {
        StorageError(
            .tooLarge, path, "More than \(limit) bytes: \(quotedName(path)) was not read and not changed. \(advice)")
    }

    /// The error that a newer version of FlagMenu wrote the file `path`, in `format`.
    static func newerFormat(_ path: String, format: Int) -> StorageError {
        StorageError(
            .newerFormat, path,
            "Written by a newer version (format \(format), this one writes \(OverrideFile.format)): "
                + "\(quotedName(path)) was not changed. Update flagmenu, or choose another folder.")
    }

    /// The error that changes of the file `path` cannot be watched.
    static func watching(_ path: String, _ cause: SystemError) -> StorageError {
        StorageError(
            .cannotWatch, path,
            "\(cause.text): \(quotedName(path)) is not watched. "
                + "Changes made elsewhere show at the next start.")
    }

    /// The last part of a path in quotes, for the beginning of a sentence.
    static func quotedName(_ path: String) -> String { "'\(FilePath.name(of: path))'" }

    private static func writeCode(_ cause: SystemError) -> Code {
        switch cause.code {
        case ENOSPC, EDQUOT, EFBIG: .noSpace
        case EROFS, EACCES, EPERM: .readOnly
        case EISDIR, ENOTDIR: .notAFile
        default: .cannotWrite
        }
    }

    private static func advice(_ cause: SystemError, _ code: Code) -> String {
        switch code {
        case .noSpace: "Free some space, then try again."
        case .readOnly: "Make the folder writable, or choose another one."
        case .notAFile: "Move away what is in its place, or choose another folder."
        default: "Check the disk, then try again."
        }
    }

    private static func openingAdvice(_ cause: SystemError, _ code: Code) -> String {
        switch cause.code {
        case EACCES, EPERM: "Take it over with chown or move it away; its folder must be writable, too."
        default: advice(cause, code)
        }
    }
}

extension String {
    /// The warning that the new content of `path` is in place, but its folder could not be synchronized.
    static func notDurable(_ path: String, _ cause: SystemError) -> String {
        "\(cause.text): \(StorageError.quotedName(path)) is written, but may be lost in a power cut. (\(path))"
    }
}
