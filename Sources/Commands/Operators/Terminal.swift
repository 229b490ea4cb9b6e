// The operator's terminal while it shows a table: its size, its keys, and the restoration of its old state.
//
// Used by one command, on one thread; `restore` may be called on another.
import Glibc

struct Terminal: Sendable {
  private let before: termios?

  /// Takes over the terminal: keys come without echo or line editing, and the table has a screen of its own.
  init() {
    var state = termios()
    let isTerminal = tcgetattr(STDIN_FILENO, &state) == 0
    before = isTerminal ? state : nil
    if isTerminal {
      // ^C comes as a key, so that it can't end the program before the terminal is restored.
      state.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
      tcsetattr(STDIN_FILENO, TCSANOW, &state)
    }
    Self.write("\u{1B}[?1049h\u{1B}[?25l")
  }

  func restore() {
    Self.write("\u{1B}[?25h\u{1B}[?1049l")
    if var before { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
  }

  /// Shows only these lines.
  func show(_ lines: [String]) {
    Self.write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
  }

  static var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (120, 50) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Waits up to so many seconds; returns true when a key asks to end: q, ^C or ^D.
  func isAskedToEnd(within seconds: Double) -> Bool {
    guard before != nil else {
      usleep(UInt32(seconds * 1e6))
      return false
    }
    var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Int32(seconds * 1_000)) > 0 else { return false }
    var key: UInt8 = 0
    guard read(STDIN_FILENO, &key, 1) == 1 else { return true }
    return [UInt8(ascii: "q"), UInt8(ascii: "Q"), 3, 4].contains(key)
  }

  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
  }
}
