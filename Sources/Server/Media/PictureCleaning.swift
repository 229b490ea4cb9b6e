// The cleaning of an uploaded file: checked, decoded and encoded anew in each size, without anything but its pixels.
//
// Blocks; used on the threads of `PictureWork`. Its files lie beside the uploaded one and are the caller's, or are gone
// where it fails.
// Decisions: 118 (docs/decisions).
import Cryptography
import Glibc
import MadangProtocol
import Store

/// A picture that may be shown.
struct CleanedPicture: Sendable {
  let digest: MediaDigest
  let type: MediaType
  let width: Int
  let height: Int
  let sizeBytes: Int
  let files: [MediaSize: String]

  func delete() {
    for file in files.values { unlink(file) }
  }
}

/// The reason why a file is no picture that may be shown, or why an upload is refused before.
struct PictureRefusal: Error {
  let code: WireErrorCode
  /// For operators: the program's failure.
  let failure: String?

  init(_ code: WireErrorCode, failure: String? = nil) {
    self.code = code
    self.failure = failure
  }
}

struct PictureCleaning {
  let program: PictureProgram
  let folder: String
  /// The name of the uploaded file in the folder.
  let input: String
  /// The formats that it may have: mostly the one that was announced.
  let formats: Set<PictureFormat>
  /// The sizes to be made, from the largest on.
  var sizes: [MediaSize] = [.original, .phone, .thumbnail]
  /// The bytes that all sizes together may have.
  let bytesMax: Int

  func run() throws(PictureRefusal) -> CleanedPicture {
    let uploaded = try check(file: input, isOneOf: formats)
    let type = uploaded.format.kept
    var names: [MediaSize: String] = [:]
    var sizeBytes = 0
    do throws(PictureRefusal) {
      var source = input
      for size in sizes {
        let name = "\(input).\(size.rawValue).\(type.of(size).fileExtension)"
        let call = PictureProgram.Call(
          input: source,
          output: name + type.of(size).options(for: size),
          sideMax: size.sideMax,
          isGrey: uploaded.isGrey
        )
        names[size] = name
        switch program.convert(call, in: folder) {
        case .done: break
        case .refused: throw PictureRefusal(.mediaDamaged)
        case .killed(let failure): throw PictureRefusal(.mediaDamaged, failure: failure)
        case .unable(let failure): throw PictureRefusal(.mediaUnavailable, failure: failure)
        }
        guard sizeBytes + byteCount(of: name) <= bytesMax else { throw PictureRefusal(.mediaTooLarge) }
        try dropMetadata(of: name, type.of(size))
        sizeBytes += byteCount(of: name)
        // The next smaller size is made of this one, which needs no more than one decoding of what a stranger sent.
        source = name
      }
      guard let size = sizes.first, let largest = names[size], let digest = digest(of: largest) else {
        throw PictureRefusal(.mediaUnavailable, failure: "no file was written")
      }
      let header = try check(file: largest, isOneOf: [type.of(size).format])
      return CleanedPicture(
        digest: digest,
        type: type.of(size),
        width: header.width,
        height: header.height,
        sizeBytes: sizeBytes,
        files: names.mapValues { "\(folder)/\($0)" }
      )
    } catch {
      for name in names.values { unlink("\(folder)/\(name)") }
      throw error
    }
  }

  /// Holds a file to its formats and to the bounds of dimensions.
  private func check(file: String, isOneOf formats: Set<PictureFormat>) throws(PictureRefusal) -> PictureHeader {
    let descriptor = open("\(folder)/\(file)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw PictureRefusal(.storeUnavailable) }
    defer { close(descriptor) }
    let read = Self.bytes(of: descriptor)
    guard let found = PictureHeader.format(read) else { throw PictureRefusal(.mediaNotAPicture) }
    guard formats.contains(found) else { throw PictureRefusal(.mediaTypeRefused) }
    guard let header = PictureHeader(of: found, read) else { throw PictureRefusal(.mediaDamaged) }
    let sideMax = Limits.pictureSideMax
    guard header.width <= sideMax, header.height <= sideMax, header.width * header.height <= Limits.picturePixelsMax
    else { throw PictureRefusal(.mediaTooManyPixels) }
    return header
  }

  private static func bytes(of descriptor: Int32) -> PictureBytes {
    { offset, count in
      [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
        read = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
      }
    }
  }

  /// Leaves out of a cleaned file what is not the picture itself: the program's `strip` is not the same for every
  /// format and version. WebP keeps its metadata in libvips 8.14.
  private func dropMetadata(of name: String, _ type: MediaType) throws(PictureRefusal) {
    let path = "\(folder)/\(name)"
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw PictureRefusal(.mediaUnavailable, failure: "no file was written") }
    defer { close(source) }
    guard let parts = PictureParts(of: type, Self.bytes(of: source), sizeBytes: byteCount(of: name)) else {
      throw PictureRefusal(.mediaUnavailable, failure: "a written file has not the form of its type")
    }
    guard !parts.areAllKept else { return }
    let plain = open("\(path).plain", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard plain >= 0 else { throw PictureRefusal(.storeUnavailable) }
    defer { close(plain) }
    do throws(PictureRefusal) {
      try parts.writeKept { (piece) throws(PictureRefusal) in
        guard write(plain, piece, piece.count) == piece.count else { throw PictureRefusal(.storeUnavailable) }
      }
      guard rename("\(path).plain", path) == 0 else { throw PictureRefusal(.storeUnavailable) }
    } catch {
      unlink("\(path).plain")
      throw error
    }
  }

  /// The bytes of a file; 0 where there is none.
  private func byteCount(of file: String) -> Int {
    var status = stat()
    return stat("\(folder)/\(file)", &status) == 0 ? Int(status.st_size) : 0
  }

  /// The digest of a file, which is read piece by piece; nil where there is nothing to read.
  private func digest(of file: String) -> MediaDigest? {
    let descriptor = open("\(folder)/\(file)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var stream = SHA256Stream()
    var isEmpty = true
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return count < 0 || isEmpty ? nil : MediaDigest(stream.finish()) }
      isEmpty = false
      buffer[..<count].withUnsafeBytes { stream.add($0) }
    }
  }
}

extension PictureFormat {
  /// The format in which the original is kept. HEIC is for phones: browsers don't show it.
  fileprivate var kept: MediaType {
    switch self {
    case .jpeg, .heic: .jpeg
    case .png: .png
    case .webp: .webp
    }
  }
}

extension MediaType {
  /// The format of a size: the smaller ones of a PNG may be transparent, and need not be exact.
  func of(_ size: MediaSize) -> MediaType { self == .png && size != .original ? .webp : self }

  fileprivate var format: PictureFormat {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .webp: .webp
    }
  }

  fileprivate var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .webp: "webp"
    }
  }

  /// libvips' options: no metadata, and a quality.
  fileprivate func options(for size: MediaSize) -> String {
    switch (self, size) {
    case (.png, _): "[strip,compression=6]"
    case (.jpeg, .original): "[strip,optimize-coding,Q=88]"
    case (.jpeg, _): "[strip,optimize-coding,Q=80]"
    case (.webp, .original): "[strip,Q=88]"
    case (.webp, _): "[strip,Q=80]"
    }
  }
}

extension MediaSize {
  /// The longest side; pixels.
  fileprivate var sideMax: Int {
    switch self {
    case .original: Limits.pictureSideMax
    case .phone: 1_280
    case .thumbnail: 320
    }
  }
}
