import Foundation

/// A file system of a few kilobytes in memory, mounted for a test and gone with it.
public final class SmallDisk: Sendable {
    /// Whether this machine and this user can mount one.
    public static let isPossible: Bool = {
        #if os(Linux)
        guard getuid() == 0, InstalledProgram.has("mount") else { return false }
        let folder = FileManager.default.temporaryDirectory.path + "/flagmenu-mount-\(UUID().uuidString)"
        // A container may have a root that cannot mount.
        return (try? SmallDisk(at: folder, kilobytes: 16)) != nil
        #else
        return false
        #endif
    }()

    private let path: String

    /// Why there is none.
    public struct NotMounted: Error {}

    /// Mounts a disk at a path, where it creates a folder.
    public init(at path: String, kilobytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard Self.run("mount -t tmpfs -o size=\(kilobytes)k tmpfs \(path)") else { throw NotMounted() }
    }

    deinit {
        _ = Self.run("umount -l \(path)")
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Leaves no byte free.
    public func fill() { _ = Self.run("cat /dev/zero > \(path)/filling") }

    /// Gives the room back.
    public func free() { try? FileManager.default.removeItem(atPath: "\(path)/filling") }

    private static func run(_ script: String) -> Bool {
        CommandRun(["/bin/sh", "-c", script], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], directory: "/")
            .status == 0
    }
}
