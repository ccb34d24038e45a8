package import FlagModel
import Platform

extension ClockReading {
    /// This machine's clocks, without the running processes.
    package static var system: ClockReading {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return ClockReading(now: FlagTimestamp(seconds: Int64(time.tv_sec)), machine: .now)
    }
}

extension MachineTime {
    /// The time since this machine was started; `nil` if the system does not tell which start that was.
    package static var now: MachineTime? {
        guard let boot = currentBoot else { return nil }
        var time = timespec()
        #if !canImport(Darwin)
        clock_gettime(CLOCK_BOOTTIME, &time)
        #else
        // On Apple's systems, this clock goes on while the machine sleeps.
        clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return MachineTime(boot: boot, milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The id of the current boot, which does not change while a process runs.
    private static let currentBoot: String? = {
        #if !canImport(Darwin)
        guard let file = try? OpenFile(reading: "/proc/sys/kernel/random/boot_id", files: .live),
            let bytes = try? file.read(from: 0, limit: 64)
        else { return nil }
        #else
        var bytes = [UInt8](repeating: 0, count: 64)
        var size = bytes.count
        guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return nil }
        #endif
        let id = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).trimmed
        return id.isEmpty ? nil : id
    }()
}
