// The API's own description, in OpenAPI 3.1: made of the table of routes, the table of acts and the schema of messages.
//
// Pure; made once. So a route or a member that is served is described, and nothing else is.
// Decisions: 138 (docs/decisions).
import ConsoleProtocol

enum APIDescription {
  static let json = document.json

  private static let schema = ConsoleSchema.console
  private static let problem = "Problem"

  private static var document: JSONTree {
    [
      "openapi": "3.1.1",
      "info": information,
      "servers": [["url": "/"]],
      "security": [["token": []]],
      "tags": tags,
      "paths": paths,
      "components": components,
    ]
  }

  private static var information: JSONTree {
    let about = "See docs/API.md. 64-bit numbers are numbers, all below 2^53. A newer server may send more members."
    return [
      "title": "Madang, for a team's backend",
      "summary": "What the operators' console shows and does.",
      "description": .text(about),
      "version": .text(GameServer.version),
    ]
  }

  private static var components: JSONTree {
    let token: JSONTree = [
      "type": "http",
      "scheme": "bearer",
      "description": "The token of a machine (`madang operators token`), or the server's own.",
    ]
    let refusal: JSONTree = [
      "description": "Nothing was done, for this reason.",
      "content": ["application/problem+json": ["schema": reference(problem)]],
    ]
    return [
      "securitySchemes": ["token": token],
      "parameters": ["IdempotencyKey": key],
      "responses": .object([(problem, refusal)]),
      "schemas": schemas,
    ]
  }

  private static var key: JSONTree {
    [
      "name": "Idempotency-Key", "in": "header",
      "description": "A repeat with the same key within 24 hours gets the first answer again, and does nothing.",
      "schema": ["type": "string", "minLength": 1, "maxLength": 130],
    ]
  }

  private static var tags: JSONTree {
    var names: [String] = []
    for route in APIRoute.all where !names.contains(route.path[0]) { names.append(route.path[0]) }
    return .array(names.map { .object([("name", .text($0))]) })
  }

  // Paths.

  private static var paths: JSONTree {
    var members: [(name: String, value: [(name: String, value: JSONTree)])] = []
    for route in APIRoute.all {
      let operation = (name: route.method.rawValue.lowercased(), value: operation(route))
      if let index = members.firstIndex(where: { $0.name == route.pathText }) {
        members[index].value.append(operation)
      } else {
        members.append((route.pathText, [operation]))
      }
    }
    return .object(members.map { ($0.name, .object($0.value)) })
  }

  private static func operation(_ route: APIRoute) -> JSONTree {
    let role = "Least role: \(route.leastRole.rawValue)."
    let about = route.act.map { "The act `\($0.rawValue)`. \(role)" } ?? role
    var members: [(name: String, value: JSONTree)] = [
      ("operationId", .text(route.name)),
      ("tags", .array([.text(route.path[0])])),
      ("summary", .text(route.summary)),
      ("description", .text(about)),
      ("x-least-role", .text(route.leastRole.rawValue)),
    ]
    let bringsBody = route.method == .post || route.method == .put
    var parameters = route.pathMembers.map { parameter($0, in: "path") }
    if !bringsBody { parameters += route.otherMembers.map { parameter($0, in: "query") } }
    if route.act != nil { parameters.append(["$ref": "#/components/parameters/IdempotencyKey"]) }
    if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
    if bringsBody { members.append(("requestBody", body(of: route))) }
    members.append(("responses", responses(of: route)))
    return .object(members)
  }

  private static func parameter(_ member: ConsoleSchema.Member, in place: String) -> JSONTree {
    var members: [(name: String, value: JSONTree)] = [
      ("name", .text(member.name)), ("in", .text(place)), ("required", .bool(place == "path")),
    ]
    if !member.about.isEmpty { members.append(("description", .text(member.about))) }
    members.append(("schema", value(of: member.kind)))
    return .object(members)
  }

  private static func body(of route: APIRoute) -> JSONTree {
    var schema: [(name: String, value: JSONTree)] = [
      ("type", "object"),
      ("properties", properties(route.otherMembers)),
      ("additionalProperties", false),
    ]
    if !route.needed.isEmpty { schema.append(("required", .array(route.needed.map { .text($0) }))) }
    return [
      "required": .bool(!route.needed.isEmpty),
      "content": ["application/json": ["schema": .object(schema)]],
    ]
  }

  private static func responses(of route: APIRoute) -> JSONTree {
    let content: JSONTree =
      route.answer.map(reference) ?? ["type": route.mediaType == APIRoute.json ? "object" : "string"]
    let form: JSONTree = ["schema": content]
    let text = route.act == nil ? "What was asked for." : "It is done, and committed with its row of the audit log."
    return [
      "200": ["description": .text(text), "content": .object([(route.mediaType, form)])],
      "default": ["$ref": .text("#/components/responses/\(problem)")],
    ]
  }

  // Schemas.

  private static var schemas: JSONTree {
    let requested = APIRoute.all.flatMap { route in
      route.otherMembers.compactMap { if case .message(let name) = $0.kind { name } else { nil } }
    }
    let names = schema.closure(of: APIRoute.all.compactMap(\.answer) + requested + [problem])
    return .object(names.sorted().map { ($0, object(schema[$0])) })
  }

  private static func object(_ message: ConsoleSchema.Message) -> JSONTree {
    var members: [(name: String, value: JSONTree)] = [("type", "object")]
    if !message.about.isEmpty { members.append(("description", .text(message.about))) }
    members.append(("properties", properties(message.members)))
    return .object(members)
  }

  private static func properties(_ members: [ConsoleSchema.Member]) -> JSONTree {
    .object(members.map { (name: $0.name, value: property($0)) })
  }

  private static func property(_ member: ConsoleSchema.Member) -> JSONTree {
    let one = value(of: member.kind)
    let schema: JSONTree = member.isList ? ["type": "array", "items": one] : one
    guard !member.about.isEmpty, case .object(let keywords) = schema else { return schema }
    return .object(keywords + [(name: "description", value: .text(member.about))])
  }

  private static func value(of kind: ConsoleSchema.Kind) -> JSONTree {
    switch kind {
    case .string: ["type": "string"]
    case .bool: ["type": "boolean"]
    case .double: ["type": "number"]
    case .integer(let isUnsigned): isUnsigned ? ["type": "integer", "minimum": 0] : ["type": "integer"]
    case .message(let name): reference(name)
    case .map(let inner): ["type": "object", "additionalProperties": value(of: inner)]
    case .any: ["type": "object"]
    }
  }

  private static func reference(_ name: String) -> JSONTree { ["$ref": .text("#/components/schemas/\(name)")] }
}
