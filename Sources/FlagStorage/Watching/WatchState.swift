/// The state of a ``DirectoryWatch``: the watched route, and the last status of the file.
struct WatchState: Sendable {
    private let path: String
    /// Whether the path is a folder, whose names are watched.
    private let isFolder: Bool
    private let files: FileOperations
    /// Creates a notifier; a parameter so that tests can inject faults.
    private let makeNotifier: ChangeNotifier.Source
    /// Whether this process put the file in place, so that the rename need not be reported.
    private let isOwnFile: @Sendable () -> Bool
    private var notifier: ChangeNotifier?
    private var route: WatchRoute
    /// The status of the file when it was last checked.
    private var status: FileStatus?
    /// Whether the system reports changes; if not, the loop polls.
    private(set) var isArmed = false
    /// Whether no further change is to be reported.
    var isEnded = false

    /// The maximum number of attempts to watch a route that changes meanwhile.
    private static let attemptLimit = 5

    init(
        path: String, namesIn isFolder: Bool, files: FileOperations, makeNotifier: @escaping ChangeNotifier.Source,
        isOwnFile: @escaping @Sendable () -> Bool
    ) {
        self.isOwnFile = isOwnFile
        self.path = path
        self.isFolder = isFolder
        self.files = files
        self.makeNotifier = makeNotifier
        route = WatchRoute(to: path, namesIn: isFolder, files: files)
        status = DurableFile.status(of: path, files: files)
        arm()
    }

    /// The notifier's descriptor, which is readable if there are changes; `nil` without a notifier.
    var descriptor: Int32? { notifier?.descriptor }

    /// Reads pending changes, or polls; returns whether the file may have changed.
    mutating func readPendingChanges() -> Bool {
        guard isArmed, let updates = notifier?.drain() else {
            arm()
            return isStatusNew()
        }
        guard !updates.isEmpty else { return false }
        if updates.isRouteLost || route != WatchRoute(to: path, namesIn: isFolder, files: files) { arm() }
        let isNew = isStatusNew()
        let isOwn = isOwnFile()
        if isOwn, !updates.isRouteLost, !updates.isOtherThanRename { return false }
        // A change on the route is reported even if the status is the same: two writes within one tick of the file
        // system's clock may have the same status.
        return updates.isVague ? isNew : true
    }

    /// Watches the current route. If that fails, the next poll retries.
    private mutating func arm() {
        isArmed = false
        do throws(SystemError) {
            if notifier == nil { notifier = try makeNotifier() }
            for _ in 0..<Self.attemptLimit where !isArmed {
                route = WatchRoute(to: path, namesIn: isFolder, files: files)
                try notifier?.watch(route)
                isArmed = route == WatchRoute(to: path, namesIn: isFolder, files: files)
            }
        } catch {
            close()
        }
    }

    /// Updates the status of the file, and returns whether it has changed.
    private mutating func isStatusNew() -> Bool {
        let newStatus = DurableFile.status(of: path, files: files)
        defer { status = newStatus }
        return newStatus != status
    }

    mutating func close() {
        notifier?.close()
        notifier = nil
    }
}
