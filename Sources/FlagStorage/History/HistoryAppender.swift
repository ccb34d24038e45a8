#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The history opened by the holder of the lock for one more record.
///
/// Nothing here throws: overrides are saved whether or not that can be recorded. What went wrong is told in a sentence.
struct HistoryAppender: ~Copyable {
    private let path: String
    private let opened: Result<OpenHistory, SystemError>

    init(_ history: HistoryFile) {
        path = history.path
        do throws(SystemError) {
            opened = .success(try OpenHistory(history))
        } catch {
            opened = .failure(error)
        }
    }

    /// The revision of the last record, which the file may not have reached; 0 when none is known.
    var lastRevision: Int {
        switch opened {
        case .success(let history): history.lastRevision
        case .failure: 0
        }
    }

    /// Appends a record; returns a sentence for the user where that was not possible.
    func append(_ record: HistoryRecord) -> [String] {
        switch opened {
        case .success(let history):
            do throws(SystemError) {
                try history.append(record)
                return []
            } catch {
                return [sentence(error)]
            }
        case .failure(let error): return [sentence(error)]
        }
    }

    /// Removes the record again, when the file did not reach it. Where that fails it is ignored on reading.
    func takeBack() {
        switch opened {
        case .success(let history): history.cut()
        case .failure: break
        }
    }

    private func sentence(_ error: SystemError) -> String {
        "The change is saved but cannot be undone, because \(path) could not be written: \(error.text)."
    }
}

private struct OpenHistory: ~Copyable {
    private let file: OpenFile
    private let length: Int
    private let endsInsideLine: Bool
    let lastRevision: Int

    /// How much is read first to find the last record: enough for one with some hundred changes.
    private static let window = 64 * 1024

    init(_ history: HistoryFile) throws(SystemError) {
        let flags = O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY
        let file = try OpenFile(history.path, flags: flags, mode: FileReplacement.privateMode, files: history.files)
        let status = try file.status()
        guard status.kind == .regular else { throw SystemError(call: "open", code: EINVAL) }
        (lastRevision, endsInsideLine) = try Self.end(of: file, length: status.size)
        length = status.size
        self.file = file
    }

    /// Looks for the last record in ever larger parts of the end.
    private static func end(
        of file: borrowing OpenFile, length: Int
    ) throws(SystemError) -> (lastRevision: Int, endsInsideLine: Bool) {
        var window = Self.window
        while true {
            let start = max(0, length - window)
            let bytes = try file.read(from: start, limit: min(window, length))
            let lines = bytes.split(separator: UInt8(ascii: "\n")).dropFirst(start > 0 ? 1 : 0)
            let last = lines.reversed().lazy.compactMap { HistoryRecord(line: $0) }.first
            if last != nil || start == 0 {
                return (last?.revision ?? 0, bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false)
            }
            window *= 16
        }
    }

    /// One write, so that other readers see the line whole or not at all. A line torn before stays on its own.
    func append(_ record: HistoryRecord) throws(SystemError) {
        do throws(SystemError) {
            try file.write(Array(((endsInsideLine ? "\n" : "") + record.line).utf8))
        } catch {
            cut()
            throw error
        }
    }

    func cut() {
        _ = try? file.truncate(to: length)
    }
}
