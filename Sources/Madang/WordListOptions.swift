// The options of `madang serve` for lists of words that no nickname and no text may have, and their files.
import ArgumentParser
import Commands
import Game

struct WordListOptions: ParsableArguments {
  @Option(
    help: """
      A file of words that no nickname, introduction, post, comment, plan, capsule, name of a land or chat may have, \
      one on a line; may be given more than once (in a variable or a file: with commas). SIGHUP reads it again \
      (default: none).
      """
  )
  var wordList: [String] = []

  func resolve(_ settings: Settings) -> WordListFiles {
    let set = settings.string(.wordList) ?? ""
    return WordListFiles(paths: wordList.isEmpty ? set.split(separator: ",").map(String.init) : wordList)
  }
}

/// The files of a list of words.
struct WordListFiles: Sendable {
  let paths: [String]

  /// Reads all files.
  ///
  /// - Throws: `ValidationError` with the first fault.
  func read() throws(ValidationError) -> WordList {
    var texts: [String] = []
    for path in paths {
      texts.append(try text(of: path))
      do throws(WordListFault) { _ = try WordList(text: texts[texts.count - 1]) } catch { throw fault(path, error) }
    }
    do throws(WordListFault) {
      return try WordList(texts.flatMap { $0.split(whereSeparator: \.isNewline) })
    } catch {
      throw fault(paths.joined(separator: ", "), error)
    }
  }

  private func text(of path: String) throws(ValidationError) -> String {
    let bytes: [UInt8]
    do throws(InputFile.Failure) {
      bytes = try InputFile.bytes(of: path)
    } catch {
      throw fault(path, error)
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    guard let text = String(validating: bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes, as: UTF8.self)
    else { throw fault(path, "it is no UTF-8") }
    return text
  }

  private func fault(_ path: String, _ why: some CustomStringConvertible) -> ValidationError {
    ValidationError("--word-list \(path): \(why).")
  }
}
