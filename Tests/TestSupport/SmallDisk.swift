import Foundation

/// A file system of a few kilobytes in memory, mounted for a test and unmounted after it.
public final class SmallDisk: Sendable {
    /// Whether this user can mount such a file system on this machine.
    public static let isPossible: Bool = {
        #if os(Linux)
        guard getuid() == 0, InstalledProgram.has("mount") else { return false }
        let folder = FileManager.default.temporaryDirectory.path + "/flagmenu-mount-\(UUID().uuidString)"
        // The root user of a container may not be able to mount.
        return (try? SmallDisk(at: folder, kilobytes: 16)) != nil
        #else
        return false
        #endif
    }()

    private let path: String

    /// The disk could not be mounted.
    public struct NotMounted: Error {}

    /// Creates a folder at a path and mounts a disk there.
    public init(at path: String, kilobytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard Self.run("mount -t tmpfs -o size=\(kilobytes)k tmpfs \(path)") else { throw NotMounted() }
    }

    deinit {
        _ = Self.run("umount -l \(path)")
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Fills the disk.
    public func fill() { _ = Self.run("cat /dev/zero > \(path)/filling") }

    /// Frees the space again.
    public func free() { try? FileManager.default.removeItem(atPath: "\(path)/filling") }

    private static func run(_ script: String) -> Bool {
        CommandRun(["/bin/sh", "-c", script], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], directory: "/")
            .status == 0
    }
}
