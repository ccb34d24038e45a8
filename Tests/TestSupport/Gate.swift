/// Holds tasks back until it is opened.
package actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Returns when it is open.
    package func pass() async {
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Lets everybody pass from now on.
    package func open() {
        isOpen = true
        waiting.forEach { $0.resume() }
        waiting = []
    }
}
