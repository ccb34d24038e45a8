#if Server
import HTTPTypes
import NIOHTTP1

/// The fields of a request's head, in the types of Hummingbird and of NIO: converting one to the other takes a
/// noticeable part of the time of an evaluation.
protocol RequestFields {
    /// The first `Host`.
    var authority: String? { get }
    /// Whether there is more than one `Host`.
    var hasSecondHost: Bool { get }
    /// The value of a field; several fields of one name are joined as in RFC 9110, section 5.3.
    subscript(name: HTTPField.Name) -> String? { get }
}

extension HTTPRequest: RequestFields {
    var hasSecondHost: Bool { headerFields[.secondHost] != nil }
    subscript(name: HTTPField.Name) -> String? { headerFields[name] }
}

extension HTTPRequestHead: RequestFields {
    var authority: String? { headers.first(name: HTTPField.Name.secondHost.canonicalName) }
    var hasSecondHost: Bool { headers[HTTPField.Name.secondHost.canonicalName].count > 1 }

    subscript(name: HTTPField.Name) -> String? {
        // Most requests have few fields, and no two of one name.
        guard headers.contains(name: name.canonicalName) else { return nil }
        return headers[name.canonicalName].joined(separator: name == .cookie ? "; " : ", ")
    }
}
#endif
