/// What a watch knows between two pieces of news.
struct WatchState: Sendable {
    /// Makes the system's notifier; tests let it fail.
    typealias NotifierSource = @Sendable () throws(SystemError) -> any ChangeNotifier

    private let path: String
    private let files: FileOperations
    private let makeNotifier: NotifierSource
    private var notifier: (any ChangeNotifier)?
    private var route: WatchRoute
    private var signature: FileSignature
    /// `true` while the system tells of changes; otherwise somebody has to look.
    private(set) var isArmed = false

    /// How often a route is laid out again that changed while it was being watched.
    private static let attemptLimit = 5

    init(path: String, files: FileOperations, makeNotifier: @escaping NotifierSource) {
        self.path = path
        self.files = files
        self.makeNotifier = makeNotifier
        route = WatchRoute(to: path, files: files)
        signature = FileSignature(of: path, files: files)
        arm()
    }

    /// Readable when there is news.
    var descriptor: Int32? { notifier?.descriptor }

    /// Takes the news, or looks where nothing tells; `true` when the file may have changed.
    mutating func takeNews() -> Bool {
        guard isArmed, let news = notifier?.drain() else {
            arm()
            return isSignatureNew()
        }
        guard !news.isEmpty else { return false }
        if news.isRouteLost || route != WatchRoute(to: path, files: files) { arm() }
        let isNew = isSignatureNew()
        // Two writes within one tick of the file system's clock may look the same, so what is certain is always told.
        return news.isVague ? isNew : true
    }

    /// Watches the route of now. Where that fails, the next look tries again.
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
