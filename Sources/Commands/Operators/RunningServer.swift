// The server that runs on a data folder, as commands of other folders ask it. A value; blocks.
import ArgumentParser

package struct RunningServer {
  private let link: OperatorLink

  /// Nil where no server with an operators' listener has left its link.
  package init?(inFolder folder: String) {
    guard let link = try? OperatorLink(inFolder: folder) else { return nil }
    self.link = link
  }

  /// The scheme and host of its join links; nil from a server that does not say it.
  ///
  /// - Throws: `ValidationError` where it does not answer.
  package func joinBase() throws -> String? {
    let hello = try StatsClient(link: link).hello()
    return hello.hasJoinBase ? hello.joinBase.printable(300) : nil
  }
}
