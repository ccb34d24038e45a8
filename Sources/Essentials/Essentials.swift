// Foundation without its parts for locales, networks and XML: a library of its own on Linux, all of Foundation on
// Apple's systems.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
