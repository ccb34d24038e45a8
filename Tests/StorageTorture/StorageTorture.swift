import FlagModel
import FlagStorage
import Platform

/// A writer process that tests start and kill. It sets keys one by one and acknowledges each on standard output after
/// it is saved.
///
///     StorageTorture DIRECTORY PREFIX FIRST COUNT KEYS [--no-lock] [--file-limit BYTES [--deadly]] [--paced]
///     StorageTorture DIRECTORY PREFIX FIRST COUNT KEYS --watches
///
/// Number n from FIRST up to COUNT becomes the value of the key `PREFIX.<n % KEYS>`. `--no-lock` disables the lock, to
/// show that the test detects its absence. `--file-limit` limits the size of files to BYTES, and `--deadly` lets the
/// signal of that limit kill the process. `--paced` waits for a byte on standard input before each change, and uses the
/// time of the monotonic clock in nanoseconds as the value. `--watches` writes and watches as many stores below the
/// folder instead; see ``watchStores(in:count:now:)``. Exits with 4 if something could not be saved.
@main struct StorageTorture {
    private let store: OverrideStore
    private let prefix: String
    private let numbers: Range<Int>
    private let keys: Int
    private let isPaced: Bool

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 6, let first = Int(arguments[3]), let count = Int(arguments[4]),
            let keys = Int(arguments[5]), first <= count, keys > 0
        else { exit(2) }
        if let limit = value(of: "--file-limit", in: arguments) { limitFiles(to: limit, arguments) }
        var files = FileOperations.live
        if arguments.contains("--no-lock") { files.lock = { _ in true } }
        let now = { @Sendable in FlagTimestamp(seconds: Int64(time(nil))) }
        if arguments.contains("--watches") { exit(watchStores(in: arguments[1], count: count, now: now)) }
        let store = OverrideStore(directory: arguments[1], author: arguments[2], now: now, files: files)
        let writer = StorageTorture(
            store: store, prefix: arguments[2], numbers: first..<count, keys: keys,
            isPaced: arguments.contains("--paced"))
        exit(writer.run())
    }

    private func run() -> Int32 {
        var code: Int32 = 0
        for number in numbers {
            guard let value = isPaced ? Self.nextMoment() : "\(number)" else { break }
            do throws(StorageError) {
                try save(.set(key: "\(prefix).\(number % keys)", value: value))
                Self.send("\(number)\n", to: STDOUT_FILENO)
            } catch {
                Self.send(error.sentence + "\n", to: STDERR_FILENO)
                code = 4
            }
        }
        return code
    }

    /// Saves a change, and tries again twelve times if others have the lock for longer than a writer waits: a disk that
    /// still writes a build makes each of their changes slow.
    private func save(_ edit: OverrideEdit) throws(StorageError) {
        for _ in 0..<12 {
            do throws(StorageError) {
                _ = try store.apply([edit])
                return
            } catch  where error.code == .lockTimeout { continue }
        }
        _ = try store.apply([edit])
    }

    /// The arrival time of the next byte in nanoseconds; `nil` at the end of standard input.
    private static func nextMoment() -> String? {
        var byte: UInt8 = 0
        guard read(STDIN_FILENO, &byte, 1) == 1 else { return nil }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return "\(time.tv_sec * 1_000_000_000 + time.tv_nsec)"
    }

    /// One `write`, so that an acknowledgement arrives whole or not at all.
    private static func send(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }

    private static func value(of option: String, in arguments: [String]) -> Int? {
        guard let index = arguments.firstIndex(of: option), index + 1 < arguments.count else { return nil }
        return Int(arguments[index + 1])
    }

    private static func limitFiles(to bytes: Int, _ arguments: [String]) {
        if arguments.contains("--deadly") {
            restoreSignal()
        } else {
            DurableFile.ignoreFileSizeSignal()
        }
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        #if canImport(Darwin)
        let resource = RLIMIT_FSIZE
        #else
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #endif
        guard setrlimit(resource, &limit) == 0 else { exit(2) }
    }
}

/// Resets SIGXFSZ, which the parent process may have ignored or blocked.
private func restoreSignal() {
    signal(SIGXFSZ, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    sigprocmask(SIG_UNBLOCK, &signals, nil)
}
