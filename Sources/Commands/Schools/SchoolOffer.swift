// A row of a list of schools that may become a school. A value. It knows the meaning of the lists' words; the rules
// decide which names a school may have.
import Foundation
import Game

package struct SchoolOffer {
  /// The place by which a reader of the list finds the row.
  package internal(set) var place: String
  /// The row's school, also for a refused row; nil where it can't be read, as in a broken line.
  package let id: SchoolID?
  package let school: Result<School, Refusal>

  /// The reason why it is no school.
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

  /// The refusal; nil when it is a school.
  package var refusal: Refusal? {
    if case .failure(let refusal) = school { refusal } else { nil }
  }

  /// The texts of a row as the file has them, except for an identifier, which may be composed of them.
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
    // Level and state must be readable too: a school must not be taken for open because its state can't be read.
    let all = [texts.name, texts.level, texts.region, texts.address, texts.state]
    guard !all.contains(where: { $0.unicodeScalars.contains(FileText.noCharacter) }) else { throw .noCharacter }
    do throws(SchoolFault) {
      return try School(
        id: id,
        name: texts.name,
        level: level,
        region: Self.region(texts.region),
        address: texts.address,
        // The state is `폐교`, or another word for closed that begins with the same syllable.
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
