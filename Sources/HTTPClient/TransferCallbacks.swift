// Functions that libcurl calls, on the client's queue, with the pointer to their transfer.
import CCurl
import Glibc

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer {
  guard let context else { preconditionFailure("libcurl passes the transfer") }
  return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}

/// Takes bytes of the body. libcurl ends the transfer when another count than that of the bytes is returned.
func takeBody(
  _ bytes: UnsafeMutablePointer<CChar>?,
  _ size: Int,
  _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  transfer(context).take(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

/// Takes a line of the header, likewise.
func takeHeaderLine(
  _ bytes: UnsafeMutablePointer<CChar>?,
  _ size: Int,
  _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  transfer(context).take(headerLine: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

/// Opens the socket for a connection to exactly this address, or none when it may not be connected to.
func openSocket(
  _ context: UnsafeMutableRawPointer?,
  _ purpose: curlsocktype,
  _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let address, purpose == CURLSOCKTYPE_IPCXN, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else {
    return CURL_SOCKET_BAD
  }
  // The address is longer than its declaration.
  let bytes = UnsafeRawBufferPointer(
    start: UnsafeRawPointer(address).advanced(by: offset),
    count: Int(address.pointee.addrlen)
  )
  guard transfer(context).mayConnect(to: bytes) else { return CURL_SOCKET_BAD }
  let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
  return socket(address.pointee.family, kind, address.pointee.protocol)
}
