// A row of a list of schools that may become a school. A value. Here is what the lists' words mean; what a school may be called
// the rules say.
import Foundation
import Game

package struct SchoolOffer {
  /// What a reader of the list finds it by.
  package internal(set) var place: String
  /// Whose row it is, refused or not; nil where that can't be read, and in a broken line it can't.
  package let id: SchoolID?
  package let school: Result<School, Refusal>

  /// Why it is no school.
  package enum Refusal: Error, CustomStringConvertible {
    case broken(String)
    case noCharacter
    case noID
    case seq
    case id(String)
    case repeated(SchoolID, first: String)
    case noName
    case text(SchoolFault)

    package var description: String {
      switch self {
      case .broken(let why): "a broken line: \(why)"
      case .noCharacter: "a broken line: bytes that are no character"
      case .noID: "it has no id"
      case .seq: "its seq is no text and no whole number"
      case .id(let text): "its id \"\(text.printable)\" is not 1 to 16 letters and digits"
      case .repeated(let id, let first): "\(first) has the id \(id) already"
      case .noName: "it has no name"
      case .text(let fault): fault.description
      }
    }
  }

  /// Nil when it is a school.
  package var refusal: Refusal? {
    if case .failure(let refusal) = school { refusal } else { nil }
  }

  /// The texts of a row as the file has them, but for an identifier that is made of what it has.
  struct Texts {
    var id: String
    var name: String
    var level: String
    var region: String
    var address: String
    var state = ""
  }

  init(place: String, of id: SchoolID? = nil, refusal: Refusal) {
    self.place = place
    self.id = id
    school = .failure(refusal)
  }

  init(place: String, _ texts: Texts, level: SchoolLevel) {
    let idText = texts.id.trimmingCharacters(in: .whitespacesAndNewlines)
    self.place = place
    id = SchoolID(idText)
    do throws(Refusal) {
      guard !idText.isEmpty else { throw .noID }
      guard let id else { throw .id(idText) }
      school = .success(try Self.school(id, texts, level))
    } catch {
      school = .failure(error)
    }
  }

  private static func school(_ id: SchoolID, _ texts: Texts, _ level: SchoolLevel) throws(Refusal) -> School {
    guard texts.name.contains(where: { !$0.isWhitespace }) else { throw .noName }
    // Nor the words for its level and state: no school must be taken for open because the word for that can't be read.
    let all = [texts.name, texts.level, texts.region, texts.address, texts.state]
    guard !all.contains(where: { $0.unicodeScalars.contains(FileText.noCharacter) }) else { throw .noCharacter }
    do throws(SchoolFault) {
      return try School(
        id: id,
        name: texts.name,
        level: level,
        region: Self.region(texts.region),
        address: texts.address,
        // `폐교`, and what is closed in other words that begin so.
        isClosed: texts.state.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix("폐")
      )
    } catch {
      throw .text(error)
    }
  }

  /// The province that an office of education is named after, or the text itself.
  private static func region(_ text: String) -> String {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let office = "교육청"
    return text.hasSuffix(office) ? String(text.dropLast(office.count)) : text
  }
}
