/// The state of a ``DirectoryWatch``: the watched route, and the last signature of the file.
struct WatchState: Sendable {
    /// Creates a notifier; a parameter so that tests can inject faults.
    typealias NotifierSource = @Sendable () throws(SystemError) -> any ChangeNotifier

    private let path: String
    /// Whether the path is a folder, whose names are watched.
    private let isFolder: Bool
    private let files: FileOperations
    private let makeNotifier: NotifierSource
    /// Whether this process put the file in place, so that the rename need not be reported.
    private let isOwnFile: @Sendable () -> Bool
    private var notifier: (any ChangeNotifier)?
    private var route: WatchRoute
    private var signature: FileSignature
    /// Whether the system reports changes; if not, the loop polls.
    private(set) var isArmed = false

    /// The maximum number of attempts to watch a route that changes meanwhile.
    private static let attemptLimit = 5

    init(
        path: String, namesIn isFolder: Bool, files: FileOperations, makeNotifier: @escaping NotifierSource,
        isOwnFile: @escaping @Sendable () -> Bool
    ) {
        self.isOwnFile = isOwnFile
        self.path = path
        self.isFolder = isFolder
        self.files = files
        self.makeNotifier = makeNotifier
        route = WatchRoute(to: path, namesIn: isFolder, files: files)
        signature = FileSignature(of: path, files: files)
        arm()
    }

    /// The notifier's descriptor, which is readable if there are changes; `nil` without a notifier.
    var descriptor: Int32? { notifier?.descriptor }

    /// Reads pending changes, or polls; returns whether the file may have changed.
    mutating func readPendingChanges() -> Bool {
        guard isArmed, let updates = notifier?.drain() else {
            arm()
            return isSignatureNew()
        }
        guard !updates.isEmpty else { return false }
        if updates.isRouteLost || route != WatchRoute(to: path, namesIn: isFolder, files: files) { arm() }
        let isNew = isSignatureNew()
        let isOwn = isOwnFile()
        if isOwn, !updates.isRouteLost, !updates.isOtherThanRename { return false }
        // A change on the route is reported even if the signature is the same: two writes within one tick of the file
        // system's clock may have the same signature.
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

    /// Updates the signature of the file, and returns whether it has changed.
    private mutating func isSignatureNew() -> Bool {
        let newSignature = FileSignature(of: path, files: files)
        defer { signature = newSignature }
        return newSignature != signature
    }

    mutating func close() {
        notifier?.close()
        notifier = nil
    }
}
