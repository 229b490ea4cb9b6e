// How the server is reached: what a client is told of its own address and of its join links, and the machine's
// addresses for who sits at the machine.
//
// Values, made for one request.
import Game
import Gateway
import Net
import WebSocket

/// The answer of `/reach`.
struct Reach {
  /// The address that the server takes the client for.
  let client: IPAddress
  let joinBase: String
  let hasPublicURL: Bool
  let serverTimeMs: Int64
  /// Nil for clients that are not on this machine.
  let machine: MachineReach?

  /// The part that only a browser on the server's own machine is told.
  struct MachineReach {
    /// Whether the listener takes connections to all addresses of the machine.
    let listensOnAll: Bool
    let addresses: [InterfaceOrigin]
  }

  struct InterfaceOrigin {
    let interface: String
    /// The base of join URLs with this address.
    let base: String
  }

  var json: String {
    var members = [
      "\"address\":\"\(client)\"", "\"joinBase\":\(Self.quoted(joinBase))", "\"hasPublicUrl\":\(hasPublicURL)",
      "\"serverTimeMs\":\"\(serverTimeMs)\"",
    ]
    if let machine {
      let addresses = machine.addresses.map {
        "{\"interface\":\(Self.quoted($0.interface)),\"base\":\(Self.quoted($0.base))}"
      }
      members.append("\"listensOnAll\":\(machine.listensOnAll)")
      members.append("\"addresses\":[\(addresses.joined(separator: ","))]")
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// A text as JSON has it.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20: quoted += " "
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension Pages {
  /// Answers how the server is reached. A page of another site learns nothing.
  func respondWithReach(to request: HTTPRequest) -> HTTPResponse {
    guard !request.head.isOfForeignPage else { return .text(403, "not from here\n") }
    let reach = Reach(
      client: request.address.ip,
      joinBase: context.joinBase.base(for: request.head),
      hasPublicURL: context.joinBase.hasPublicURL,
      serverTimeMs: gateway.now.milliseconds,
      machine: machine(for: request)
    )
    return HTTPResponse(
      status: 200,
      headers: [
        HeaderField("Content-Type", "application/json"), HeaderField("Cache-Control", "no-store"),
        HeaderField("X-Content-Type-Options", "nosniff"),
      ],
      body: Array(reach.json.utf8)
    )
  }

  /// The base that the query `host=ADDRESS:PORT` of a QR's address chooses among the machine's; nil without a choice,
  /// and for any other address.
  func chosenBase(of request: HTTPRequest) -> String? {
    guard let query = request.head.query, query.hasPrefix("host="), let machine = machine(for: request) else {
      return nil
    }
    let wanted = query.dropFirst("host=".count)
    return machine.addresses.first { $0.base.hasSuffix("//\(wanted)") }?.base
  }

  /// The machine's addresses, for a browser that runs on it and asks by the loopback. A proxy's clients look the same
  /// where the proxy is not declared, so its fields end the talk; and a name that was made to lead here is no
  /// loopback's. The public URL leaves no choice.
  private func machine(for request: HTTPRequest) -> Reach.MachineReach? {
    let head = request.head
    guard !context.joinBase.hasPublicURL, request.address.ip.isLoopback,
      head.values(of: "X-Forwarded-For").isEmpty, head.values(of: "Forwarded").isEmpty,
      let origin = RequestedOrigin(scheme: "http", of: head),
      origin.host == "localhost" || IPAddress(origin.host)?.isLoopback == true
    else { return nil }
    let listener = context.address
    let scheme = context.configuration.listener.certificate == nil ? "http" : "https"
    return Reach.MachineReach(
      listensOnAll: listener.ip.isUnspecified,
      // A listener of IPv4 takes no connection to an address of IPv6.
      addresses: InterfaceAddress.all().filter { $0.ip.isV4 || !listener.ip.isV4 }.map { address in
        Reach.InterfaceOrigin(
          interface: address.interface,
          base: "\(scheme)://\(SocketAddress(ip: address.ip, port: listener.port))"
        )
      }
    )
  }
}
