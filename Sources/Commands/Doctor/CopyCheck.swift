// The doctor's look at a streamed copy: how far it goes, by its own word, whose it is, and on which disk. It reads two
// small files, and changes nothing.
import Copies
import Game

enum CopyCheck {
  /// Looks at whether the copy is that of a data folder, and whether both are lost with one disk. A folder that has
  /// never had a copy has no identifier; one that this user may not read is passed over.
  static func finding(
    of place: String,
    besides data: String,
    _ destination: () throws(CopyFailure) -> any CopyDestination
  ) -> [Finding] {
    var findings: [Finding] = []
    if CopyPlace.isOnDisk(of: data, place) {
      findings.append(
        .warning(
          "copy-disk",
          "the copy \(place) is on the disk of the data",
          "name a folder of another disk or machine in --copy-to: one lost disk takes both"
        )
      )
    }
    let own: String?
    do throws(CopyFailure) {
      own = try CopyOwner.identifier(in: data)
    } catch {
      return findings
    }
    do throws(CopyFailure) {
      if let owner = try CopyOwner.read(from: destination()), owner.folder != own {
        findings.append(
          .failure(
            "copy-owner",
            "the copy \(place) is another server's, and this one is not copied",
            "give each server a place of its own, or end the other one and run madang take-over"
          )
        )
      }
    } catch {
      findings.append(.failure("copy-owner", "the owner of \(place) can't be read: \(error)", "see the server's log"))
    }
    return findings
  }

  /// Looks at the copy that operators call `place`.
  static func finding(of place: String, _ destination: () throws(CopyFailure) -> any CopyDestination) -> Finding {
    let text: String
    do throws(CopyFailure) {
      text = String(decoding: try destination().get(CopyNames.through), as: UTF8.self)
    } catch {
      return .failure(
        "copy",
        "the copy \(place) can't be read: \(error)",
        "see that --copy names what the server has in --copy-to, and what its log says"
      )
    }
    let through = Instant(rfc3339: String(text.prefix { !$0.isNewline }))
    return MachineJudgement.copy(place, ageS: through.map { (Instant.now - $0).components.seconds })
  }
}

extension MachineJudgement {
  /// Judges how long ago a copy had everything; nil where it does not say so. A server that runs says it every 15 s.
  package static func copy(_ place: String, ageS: Int64?) -> Finding {
    let advice = "see the log and madang_copy_age_seconds: a copy that is behind loses what it lacks with the disk"
    guard let ageS else { return .failure("copy", "\(place) does not say how far it goes", advice) }
    let text = "the copy \(place) has everything until \(max(0, ageS)) s ago"
    if ageS > 3_600 { return .failure("copy", text, advice) }
    if ageS > 120 { return .warning("copy", text, advice) }
    return .ok("copy", text)
  }
}
