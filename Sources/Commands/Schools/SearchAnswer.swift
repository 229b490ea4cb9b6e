// The answers of career.go.kr's search for schools: one list per request (`gubun=elem_list`, `midd_list`, `high_list`
// and others), as JSON. A list numbers its schools by itself, and no entry names its list. Pure.
import Foundation
import Game

extension SchoolFile {
  /// - Throws: `Unfit` when the text is no such answer.
  func searchOffers(_ text: FileText) throws(SchoolList.Unfit) -> [SchoolOffer] {
    let entries: [Entry]
    do {
      entries = try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).dataSearch.content
    } catch DecodingError.dataCorrupted {
      throw unfit("it is not JSON")
    } catch {
      throw unfit("it has no dataSearch.content")
    }
    let levels = entries.map { SchoolLevel(kind: $0["schoolGubun"], name: $0["schoolName"]) }
    let listLevel = SchoolLevel(mostOf: levels.lazy.compactMap(\.self))
    return zip(entries, levels).enumerated().map { index, pair in
      let (entry, level) = pair
      return entry.offer(place: "entry \(index + 1)", level: level ?? listLevel, letter: listLevel.letter)
    }
  }
}

private struct Answer: Decodable {
  struct Search: Decodable {
    let content: [Entry]
  }

  let dataSearch: Search
}

/// An entry, which should be an object that describes a school.
private struct Entry: Decodable {
  /// The object's members; nil when it is no object.
  private let values: [String: Value]?

  init(from decoder: any Decoder) throws {
    values = try? decoder.singleValueContainer().decode([String: Value].self)
  }

  /// The text of a key; empty where it is missing or no text.
  subscript(key: String) -> String {
    if case .text(let text)? = values?[key] { text } else { "" }
  }

  func offer(place: String, level: SchoolLevel, letter: String) -> SchoolOffer {
    guard let values else { return SchoolOffer(place: place, refusal: .broken("no object")) }
    let number: String
    switch values["seq"] {
    case nil: number = ""
    case .text(let text): number = text.trimmingCharacters(in: .whitespacesAndNewlines)
    case .number(let value): number = "\(value)"
    case .other: return SchoolOffer(place: place, refusal: .seq)
    }
    let texts = SchoolOffer.Texts(
      id: number.isEmpty ? "" : letter + number,
      name: self["schoolName"],
      level: self["schoolGubun"],
      region: self["region"],
      address: self["adres"]
    )
    return SchoolOffer(place: place, texts, level: level)
  }
}

/// Any JSON value.
private enum Value: Decodable {
  case text(String)
  case number(Int)
  case other

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    do {
      self = .text(try value.decode(String.self))
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      self = (try? value.decode(Int.self)).map(Self.number) ?? .other
    } catch {
      // One case is a text with half of a surrogate pair.
      self = .text(String(FileText.noCharacter))
    }
  }
}
