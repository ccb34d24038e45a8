/// The state of a watch.
struct WatchState: Sendable {
    /// Makes the system's notifier; tests inject faults.
    typealias NotifierSource = @Sendable () throws(SystemError) -> any ChangeNotifier

    private let path: String
    private let files: FileOperations
    private let makeNotifier: NotifierSource
    private var notifier: (any ChangeNotifier)?
    private var route: WatchRoute
    private var signature: FileSignature
    /// `true` if the system reports changes; otherwise the watch polls.
    private(set) var isArmed = false

    /// How often a route is watched again that changed meanwhile.
    private static let attemptLimit = 5

    init(path: String, files: FileOperations, makeNotifier: @escaping NotifierSource) {
        self.path = path
        self.files = files
        self.makeNotifier = makeNotifier
        route = WatchRoute(to: path, files: files)
        signature = FileSignature(of: path, files: files)
        arm()
    }

    /// Readable if there are changes.
    var descriptor: Int32? { notifier?.descriptor }

    /// Takes pending changes, or polls; `true` if the file may have changed.
    mutating func takeNews() -> Bool {
        guard isArmed, let news = notifier?.drain() else {
            arm()
            return isSignatureNew()
        }
        guard !news.isEmpty else { return false }
        if news.isRouteLost || route != WatchRoute(to: path, files: files) { arm() }
        let isNew = isSignatureNew()
        // Two writes within one tick of the file system's clock may look the same, so certain changes are always
        // reported.
        return news.isVague ? isNew : true
    }

    /// Watches the current route. If that fails, the next poll retries.
    private mutating func arm() {
        isArmed = false
        do throws(SystemError) {
            if notifier == nil { notifier = try makeNotifier() }
            for _ in 0..<Self.attemptLimit where !isArmed {
                route = WatchRoute(to: path, files: files)
                try notifier?.watch(route)
                isArmed = route == WatchRoute(to: path, files: files)
            }
        } catch {
            close()
        }
    }

    private mutating func isSignatureNew() -> Bool {
        let now = FileSignature(of: path, files: files)
        defer { signature = now }
        return now != signature
    }

    mutating func close() {
        notifier?.close()
        notifier = nil
    }
}
