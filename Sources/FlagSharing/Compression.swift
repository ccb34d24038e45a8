import CZlib
import FlagModel

/// Raw deflate, without the header and the checksum of zlib: a shared state has its own.
enum Compression {
    /// The most bytes that are decompressed. A few bytes of a hostile text could become gigabytes.
    static let limit = 1 << 20

    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var count = compressBound(uLong(bytes.count))
        let result = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initializedCount in
            compress2(buffer.baseAddress, &count, bytes, uLong(bytes.count), Z_BEST_COMPRESSION)
            initializedCount = Int(count)
        }
        return Array(result.dropFirst(2).dropLast(4))
    }

    /// The bytes of a stream that ends with its last byte.
    ///
    /// - Throws: why there are none, as a sentence.
    static func decompressed(_ bytes: ArraySlice<UInt8>) throws(InvalidText) -> [UInt8] {
        var (input, stream, status) = (Array(bytes), z_stream(), Z_STREAM_ERROR)
        let inputCount = input.count
        let result = [UInt8](unsafeUninitializedCapacity: limit) { output, initializedCount in
            input.withUnsafeMutableBufferPointer { input in
                let size = Int32(MemoryLayout<z_stream>.size)
                guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, size) == Z_OK else { return }
                (stream.next_in, stream.avail_in) = (input.baseAddress, uInt(inputCount))
                (stream.next_out, stream.avail_out) = (output.baseAddress, uInt(limit))
                status = inflate(&stream, Z_FINISH)
                initializedCount = limit - Int(stream.avail_out)
                inflateEnd(&stream)
            }
        }
        if status == Z_BUF_ERROR, stream.avail_out == 0 {
            throw InvalidText(sentence: "The shared state has more than 1 MiB of data and was not read.")
        }
        guard status == Z_STREAM_END, stream.avail_in == 0 else { throw .changedState }
        return result
    }

    /// The CRC-32 of bytes, the most significant byte first.
    static func checksum(of bytes: [UInt8]) -> [UInt8] {
        let sum = crc32(0, bytes, uInt(bytes.count))
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }
}
