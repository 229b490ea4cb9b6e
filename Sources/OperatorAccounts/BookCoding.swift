// The file of operators, `madang.operators` in the data folder: a section for each. docs/OPERATING.md describes it.
import Cryptography
import Game

extension OperatorBook {
  /// The file in a data folder.
  package static func file(in folder: String) -> PrivateFile { PrivateFile("\(folder)/madang.operators") }

  private static let remark = [
    "The operators of this server. `madang operators` changes it; a server reads it when it starts.",
    "Passwords are hashes, links and tokens are digests. Only codeSecret is a secret in clear.",
  ]

  /// Reads the file of a folder; an empty book where there is none.
  package init(inFolder folder: String) throws(OperatorFileFault) {
    let file = Self.file(in: folder)
    let text = try file.read() ?? ""
    do throws(OperatorFileFault) {
      try self.init(text)
    } catch {
      throw OperatorFileFault("\(file.path), \(error)")
    }
  }

  /// Reads the text of a file.
  package init(_ text: String) throws(OperatorFileFault) {
    self.init()
    for section in try SectionText.sections(of: text) {
      let fault = OperatorFileFault(
        "line \(section.line): [\(section.kind) \(section.name)] is not as madang writes it"
      )
      guard let name = OperatorName(section.name), name.text == section.name, accounts[name] == nil,
        tokens[name] == nil
      else { throw fault }
      switch section.kind {
      case "operator":
        guard let account = OperatorAccount(name, section) else { throw fault }
        accounts[name] = account
      case "token":
        guard let token = OperatorToken(name, section) else { throw fault }
        tokens[name] = token
      default: throw fault
      }
    }
    guard accounts.count + tokens.count <= Self.countMax else {
      throw OperatorFileFault("more than \(Self.countMax) operators and tokens")
    }
  }

  package var text: String {
    SectionText.text(Self.remark, sortedAccounts.map(\.section) + sortedTokens.map(\.section))
  }
}

extension OperatorAccount {
  private static let known: Set<String> = [
    "role", "createdAtMs", "password", "codeSecret", "codeStep", "linkDigest", "linkExpiresAtMs", "epoch",
  ]

  /// Nil when the section is not what `section` makes of an account.
  init?(_ name: OperatorName, _ section: Section) {
    guard Self.known.isSuperset(of: section.fields.keys), let role = section["role"].flatMap(OperatorRole.init),
      let createdAt = section.integer("createdAtMs"), let epoch = section.integer("epoch")
    else { return nil }
    self.init(name, role, at: Instant(milliseconds: createdAt))
    self.epoch = epoch
    passwordHash = section["password"]
    codes = section["codeSecret"].flatMap(OneTimeCodes.init)
    usedStep = section.integer("codeStep") ?? 0
    if let digest = section["linkDigest"], let expiresAt = section.integer("linkExpiresAtMs") {
      link = OneTimeLink(digest: digest, expiresAt: Instant(milliseconds: expiresAt))
    }
    guard self.section.fields == section.fields else { return nil }
  }

  fileprivate var section: Section {
    var section = Section("operator", name.text)
    section["role"] = role.rawValue
    section["createdAtMs"] = "\(createdAt.milliseconds)"
    section["epoch"] = "\(epoch)"
    section["password"] = passwordHash
    section["codeSecret"] = codes?.text
    if usedStep > 0 { section["codeStep"] = "\(usedStep)" }
    section["linkDigest"] = link?.digest
    section["linkExpiresAtMs"] = link.map { "\($0.expiresAt.milliseconds)" }
    return section
  }
}

extension OperatorToken {
  init?(_ name: OperatorName, _ section: Section) {
    guard section.fields.count == 3, let role = section["role"].flatMap(OperatorRole.init),
      let createdAt = section.integer("createdAtMs"), let digest = section["digest"].flatMap(Hexadecimal.decode),
      digest.count == 32
    else { return nil }
    self.init(name: name, role: role, createdAt: Instant(milliseconds: createdAt), digest: digest)
  }

  fileprivate var section: Section {
    var section = Section("token", name.text)
    section["role"] = role.rawValue
    section["createdAtMs"] = "\(createdAt.milliseconds)"
    section["digest"] = Hexadecimal.encode(digest)
    return section
  }
}
