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
        files.read = { number, buffer throws(SystemError) in
            try plan.take("read")
            return try live.read(number, buffer)
        }
        files.write = { number, bytes throws(SystemError) in
            try plan.take("write")
            return try live.write(number, UnsafeRawBufferPointer(rebasing: bytes[..<plan.writable(bytes.count)]))
        }
        files.seek = { number, offset throws(SystemError) in
            try plan.take("seek")
            try live.seek(number, offset)
        }
        files.truncate = { number, length throws(SystemError) in
            try plan.take("truncate")
            try live.truncate(number, length)
        }
        files.changeMode = { number, mode throws(SystemError) in
            try plan.take("changeMode")
            try live.changeMode(number, mode)
        }
        files.synchronize = { number throws(SystemError) in
            try plan.take("synchronize")
            try live.synchronize(number)
        }
        files.lock = { number throws(SystemError) in
            try plan.take("lock")
            return try live.lock(number)
        }
        files.close = { number throws(SystemError) in
            try live.close(number)
            try plan.take("close")
        }
        return files.failingOnPaths(plan)
    }

    private func failingOnPaths(_ plan: FaultPlan) -> FileOperations {
        let live = self
        var files = self
        files.status = { number throws(SystemError) in
            try plan.take("status")
            return try live.status(number)
        }
        files.statusOfPath = { path throws(SystemError) in
            try plan.take("statusOfPath")
            return try live.statusOfPath(path)
        }
        files.linkTarget = { path throws(SystemError) in
            try plan.take("linkTarget")
            return try live.linkTarget(path)
        }
        files.link = { path, newPath throws(SystemError) in
            try plan.take("link")
            try live.link(path, newPath)
        }
        files.rename = { path, newPath throws(SystemError) in
            try plan.take("rename")
            try live.rename(path, newPath)
        }
        files.remove = { path throws(SystemError) in
            try plan.take("remove")
            try live.remove(path)
        }
        files.makeFolder = { path, mode throws(SystemError) in
            try plan.take("makeFolder")
            try live.makeFolder(path, mode)
        }
        files.names = { path throws(SystemError) in
            try plan.take("names")
            return try live.names(path)
        }
        return files
    }
}
