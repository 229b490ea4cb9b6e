// The options of `madang serve` for countries' photos.
import ArgumentParser
import Commands
import Server

struct PhotoOptions: ParsableArguments {
  @Option(
    help: """
      Where photos of countries come from: a folder with kr.jpg and kr.txt (the attribution), or a URL with {country} \
      (KR), {name} (South%20Korea) and {key} (default: none, and no photos are served).
      """
  )
  var photoSource: String?

  @Option(
    help: """
      The source answers JSON, which has the picture's address here: a JSON pointer like /photos/0/src/large (default: \
      it answers the picture).
      """
  )
  var photoPointer: String?

  @Option(
    help: """
      The attribution of photos, with {/photos/0/photographer} for a text of the source's JSON and {X-Author} for a \
      header field of its answer.
      """
  )
  var photoAttribution: String?

  @Option(help: "A file with the source's key, which fills {key} and is in no log.")
  var photoKeyFile: String?

  @Option(help: "A header field of requests to the source: \"Authorization: Client-ID {key}\".")
  var photoHeader: String?

  @Option(help: "The requests to the source in a day of UTC, 1 to 1000000 (default: 500).")
  var photoRequestsPerDay: Int?

  @Flag(help: "The source may have addresses of this machine and of private networks, and addresses without TLS.")
  var photoPrivateAddresses = false

  /// The configuration of photos, which are kept in a folder inside `data`; nil without a source.
  func resolve(_ settings: Settings, data: String) throws -> PhotoConfiguration? {
    let requests = try requestsPerDay(settings)
    guard let source = photoSource ?? settings.string(.photoSource) else { return nil }
    let attribution = photoAttribution ?? settings.string(.photoAttribution) ?? ""
    let folder = "\(data)/photos"
    guard source.lowercased().hasPrefix("http://") || source.lowercased().hasPrefix("https://") else {
      return PhotoConfiguration(
        folder: folder,
        source: FolderPhotoSource(folder: source, attribution: attribution),
        requestsPerDay: requests
      )
    }
    var web = HTTPPhotoSource.Settings(url: source)
    web.pointer = photoPointer ?? settings.string(.photoPointer)
    web.attribution = attribution
    web.key = try (photoKeyFile ?? settings.string(.photoKeyFile)).map(Self.key)
    web.header = photoHeader ?? settings.string(.photoHeader)
    web.allowsPrivateAddresses =
      if photoPrivateAddresses { true } else { try settings.bool(.photoPrivateAddresses) ?? false }
    do throws(HTTPPhotoSource.Fault) {
      return PhotoConfiguration(
        folder: folder,
        source: try HTTPPhotoSource(version: GameServer.version, web),
        requestsPerDay: requests
      )
    } catch {
      throw ValidationError("--photo-source: \(error).")
    }
  }

  private func requestsPerDay(_ settings: Settings) throws -> Int {
    let range = 1...1_000_000
    guard let photoRequestsPerDay else {
      return try settings.int(.photoRequestsPerDay, in: range) ?? PhotoConfiguration.requestsPerDayDefault
    }
    guard range.contains(photoRequestsPerDay) else {
      throw Setting.photoRequestsPerDay.isOut(of: range, photoRequestsPerDay)
    }
    return photoRequestsPerDay
  }

  private static func key(_ path: String) throws -> String {
    do throws(InputFile.Failure) {
      let text = String(decoding: try InputFile.bytes(of: path), as: UTF8.self)
      return text.split(whereSeparator: { $0.isWhitespace }).joined(separator: " ")
    } catch {
      throw ValidationError("--photo-key-file \(path): \(error).")
    }
  }
}
