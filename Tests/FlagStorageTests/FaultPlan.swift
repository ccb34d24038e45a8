import Foundation
import Synchronization

@testable import FlagStorage

/// Injects a fault into one system call, chosen by its index, and records all calls.
final class FaultPlan: Sendable {
    /// The fault of the chosen call.
    enum Fault: Sendable, Hashable {
        /// The call fails with this `errno`.
        case error(Int32)
        /// The call and all later calls of the same name fail, as on a full disk.
        case lastingError(Int32)
        /// `write` writes only the first byte; other calls succeed.
        case shortWrite
        /// The chosen call and all later calls fail, as after `kill -9`; only closing an open file still works.
        case death
    }

    private struct State {
        var calls: [String] = []
        var failed: String?
    }

    private let step: Int
    private let fault: Fault
    private let state = Mutex(State())

    /// - Parameter step: the index of the call that gets the fault, from 0; negative for no call.
    init(step: Int, _ fault: Fault) {
        self.step = step
        self.fault = fault
    }

    /// The calls that were made, in order.
    var calls: [String] { state.withLock { $0.calls } }

    /// Counts a call and throws if it has to fail.
    fileprivate func take(_ call: String) throws(SystemError) {
        let code = state.withLock { state -> Int32? in
            defer { state.calls.append(call) }
            switch fault {
            case .error(let code): return state.calls.count == step ? code : nil
            case .lastingError(let code):
                if state.calls.count == step { state.failed = call }
                return state.failed == call ? code : nil
            case .shortWrite: return nil
            case .death: return state.calls.count >= step ? EIO : nil
            }
        }
        if let code { throw SystemError(call: call, code: code) }
    }

    /// A call that is counted, and is made unless it has to fail.
    fileprivate func counting<Value, Result>(
        _ name: String, _ call: @escaping @Sendable (Value) throws(SystemError) -> Result
    ) -> @Sendable (Value) throws(SystemError) -> Result {
        { value throws(SystemError) in
            try self.take(name)
            return try call(value)
        }
    }

    fileprivate func counting<First, Second, Result>(
        _ name: String, _ call: @escaping @Sendable (First, Second) throws(SystemError) -> Result
    ) -> @Sendable (First, Second) throws(SystemError) -> Result {
        { first, second throws(SystemError) in
            try self.take(name)
            return try call(first, second)
        }
    }

    /// How many of `count` bytes the `write` that was just counted may write.
    fileprivate func writable(_ count: Int) -> Int {
        state.withLock { fault == .shortWrite && $0.calls.count - 1 == step ? min(1, count) : count }
    }
}

extension FileOperations {
    /// The operating system with the planned fault.
    static func live(failing plan: FaultPlan) -> FileOperations {
        let live = FileOperations.live
        var files = live
        files.open = { path, flags, mode throws(SystemError) in
            try plan.take("open \(path.split(separator: "/").last?.prefix(12) ?? "")")
            return try live.open(path, flags, mode)
        }
        files.write = { number, bytes throws(SystemError) in
            try plan.take("write")
            return try live.write(number, UnsafeRawBufferPointer(rebasing: bytes[..<plan.writable(bytes.count)]))
        }
        files.close = { number throws(SystemError) in
            try live.close(number)
            try plan.take("close")
        }
        files.read = plan.counting("read", live.read)
        files.seek = plan.counting("seek", live.seek)
        files.truncate = plan.counting("truncate", live.truncate)
        files.changeMode = plan.counting("changeMode", live.changeMode)
        files.synchronize = plan.counting("synchronize", live.synchronize)
        files.lock = plan.counting("lock", live.lock)
        files.status = plan.counting("status", live.status)
        files.statusOfPath = plan.counting("statusOfPath", live.statusOfPath)
        files.linkTarget = plan.counting("linkTarget", live.linkTarget)
        files.link = plan.counting("link", live.link)
        files.rename = plan.counting("rename", live.rename)
        files.remove = plan.counting("remove", live.remove)
        files.makeFolder = plan.counting("makeFolder", live.makeFolder)
        files.names = plan.counting("names", live.names)
        return files
    }
}
