import Platform

extension FileOperations {
    /// The system calls of the operating system. A C function with the name of a member is qualified by its module.
    package static let live = FileOperations(
        open: { path, flags, mode throws(SystemError) in
            try SystemError.check("open", Platform.open(path, flags, mode_t(truncatingIfNeeded: mode)))
        },
        read: { descriptor, buffer throws(SystemError) in
            try SystemError.check("read", Platform.read(descriptor, buffer.baseAddress, buffer.count))
        },
        write: { descriptor, bytes throws(SystemError) in
            try SystemError.check("write", Platform.write(descriptor, bytes.baseAddress, bytes.count))
        },
        seek: { descriptor, offset throws(SystemError) in
            _ = try SystemError.check("lseek", lseek(descriptor, off_t(offset), SEEK_SET))
        },
        truncate: { descriptor, length throws(SystemError) in
            _ = try SystemError.check("ftruncate", ftruncate(descriptor, off_t(length)))
        },
        changeMode: { descriptor, mode throws(SystemError) in
            _ = try SystemError.check("fchmod", fchmod(descriptor, mode_t(truncatingIfNeeded: mode)))
        },
        synchronize: { descriptor throws(SystemError) in try synchronizeLive(descriptor) },
        lock: { descriptor throws(SystemError) in try lockLive(descriptor, LOCK_EX) },
        lockShared: { descriptor throws(SystemError) in try lockLive(descriptor, LOCK_SH) },
        close: { descriptor throws(SystemError) in _ = try SystemError.check("close", Platform.close(descriptor)) },
        status: { descriptor throws(SystemError) in
            var raw = stat()
            _ = try SystemError.check("fstat", fstat(descriptor, &raw))
            return FileStatus(raw)
        },
        statusOfPath: { path throws(SystemError) in
            var raw = stat()
            _ = try SystemError.check("lstat", lstat(path, &raw))
            return FileStatus(raw)
        },
        linkTarget: { path throws(SystemError) in try linkTargetLive(path) },
        link: { path, newPath throws(SystemError) in
            _ = try SystemError.check("link", Platform.link(path, newPath))
        },
        rename: { path, newPath throws(SystemError) in
            _ = try SystemError.check("rename", Platform.rename(path, newPath))
        },
        remove: { path throws(SystemError) in _ = try SystemError.check("unlink", unlink(path)) },
        removeFolder: { path throws(SystemError) in _ = try SystemError.check("rmdir", rmdir(path)) },
        makeFolder: { path, mode throws(SystemError) in
            _ = try SystemError.check("mkdir", mkdir(path, mode_t(truncatingIfNeeded: mode)))
        },
        names: { folder throws(SystemError) in try namesLive(folder) },
        isRunning: { number in kill(number, 0) == 0 || errno == EPERM },
        pause: { time in
            let (seconds, attoseconds) = time.components
            var request = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            nanosleep(&request, nil)
        }
    )
}

private func synchronizeLive(_ descriptor: Int32) throws(SystemError) {
    #if canImport(Darwin)
    if fcntl(descriptor, F_FULLFSYNC) != -1 { return }
    // Network and foreign file systems do not support F_FULLFSYNC; fsync is the best that they have.
    guard errno == ENOTSUP || errno == EINVAL || errno == ENOTTY else {
        throw SystemError(call: "fcntl(F_FULLFSYNC)", code: errno)
    }
    #endif
    _ = try SystemError.check("fsync", fsync(descriptor))
}

private func lockLive(_ descriptor: Int32, _ kind: Int32) throws(SystemError) -> Bool {
    if flock(descriptor, kind | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw SystemError(call: "flock", code: errno) }
    return false
}

private func linkTargetLive(_ path: String) throws(SystemError) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = try SystemError.check("readlink", readlink(path, &buffer, buffer.count))
    // With other bytes in place of invalid ones, the target would be another file.
    guard let target = String(validating: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self) else {
        throw SystemError(call: "readlink", code: EILSEQ)
    }
    return target
}

private func namesLive(_ folder: String) throws(SystemError) -> [String] {
    guard let stream = opendir(folder) else { throw SystemError(call: "opendir", code: errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
        errno = 0
        guard let entry = readdir(stream) else {
            guard errno == 0 else { throw SystemError(call: "readdir", code: errno) }
            return names
        }
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != "." && name != ".." { names.append(name) }
    }
}
