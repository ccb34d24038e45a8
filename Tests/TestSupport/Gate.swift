/// Suspends tasks until it is opened.
package actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Returns when the gate is open.
    package func pass() async {
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Opens the gate for all waiting and later tasks.
    package func open() {
        isOpen = true
        waiting.forEach { $0.resume() }
        waiting = []
    }
}
