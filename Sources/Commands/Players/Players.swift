// `madang player`: one player, for operators.
import ArgumentParser
import Foundation
import Game
import Store

package struct Players: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "player",
    abstract: "Write down everything that is kept on a player.",
    subcommands: [Export.self]
  )

  package init() {}
}

extension Players {
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write everything that the server keeps on a player as JSON.",
      discussion: """
        For a player who asks for their data. It has the account, sessions, sanctions, what operators have done, blocked \
        players, badges, results with the tracks of games whose journals are kept, links to games, runs over lands, \
        proposals, chats, taps, capsules with their texts, pictures, and events that wait for webhooks. Secrets are left out: passwords, devices and \
        the identifiers of sessions. Works beside a running server, whose newest commit it shows.
        """
    )

    @Argument(help: "The player's identifier, 32 hexadecimal digits.")
    var player: PlayerID

    @Option(name: .shortAndLong, help: "The file to write; must not be there yet (default: the standard output).")
    var output: String?

    @Option(help: "A folder to write the pictures' files to; must not be there yet (default: only their list).")
    var pictures: String?

    @OptionGroup var folder: StoreFolder

    func run() async throws {
      if let output { try NewFile.require(output) }
      if let pictures { try NewFile.require(pictures) }
      let store = try folder.open()
      defer { store.close() }
      guard let traces = try store.traces(of: player) else {
        throw ValidationError("there is no player \(player), or they are deleted.")
      }
      let contest = try Contest(store)
      contest.warnUnlessWhole()
      let files = try pictures.map { try write(traces.media, of: store, to: $0) } ?? [:]
      let exported = ExportedPlayer(
        player,
        traces,
        try tracks(of: traces.results, in: store),
        contest,
        pictureFiles: files
      )
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let text = String(decoding: try encoder.encode(exported), as: UTF8.self)
      guard let output else { return print(text) }
      try Data((text + "\n").utf8).write(to: URL(filePath: output), options: .atomic)
    }

    /// Writes pictures to a new folder; returns the names of their files. Pictures without bytes are left out.
    private func write(_ media: [StoredMedia], of store: SQLiteStore, to folder: String) throws -> [MediaID: String] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      var names: [MediaID: String] = [:]
      for one in media {
        guard let bytes = try store.blobs.bytes(of: BlobName(one.digest, .original)) else { continue }
        let name = "\(one.id).\(one.type.name.dropFirst("image/".count))"
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"), options: .withoutOverwriting)
        names[one.id] = name
      }
      return names
    }

    /// The player's tracks in the games whose journals are kept and can be read.
    private func tracks(of results: [ResultRow], in store: SQLiteStore) throws -> [GameID: [GameTracks.Point]] {
      var tracks: [GameID: [GameTracks.Point]] = [:]
      for result in results {
        guard let journal = try store.journal(of: result.game) else { continue }
        do throws(JournalFault) {
          tracks[result.game] = try GameTracks(result.game.number, in: journal).points[result.seat]
        } catch {
          let warning = "Warning: the journal of \(result.game) can't be read: \(error).\n"
          FileHandle.standardError.write(Data(warning.utf8))
        }
      }
      return tracks
    }
  }
}
