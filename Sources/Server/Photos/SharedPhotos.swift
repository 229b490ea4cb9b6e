// Countries' photos, as all shards share them: what is kept, and the fetching of what is not, or is of another day.
//
// Guards itself. A source is asked beside the shards: its steps, the disk's and the notes of the quota run on a thread
// of photos, and pictures are decoded by the program, called on the threads of uploaded ones. A country is fetched once
// at a time, whoever asks for it.
// Decisions: 124 (docs/decisions).
import Cryptography
import Game
import Gateway
import Locks
import Net
import Store

final class SharedPhotos: Sendable {
  /// The most countries that are fetched at once; each holds the bytes of one picture.
  static let fillsMax = 4
  /// The most reads of the disk that wait.
  static let waitingMax = 1_024

  private struct State {
    var kept: [CountryCode: KeptPhoto] = [:]
    var use: PhotoUse
    var filling: Set<CountryCode> = []
    /// The day on which the operator was told that its requests are used up.
    var toldDay: Int64?
  }

  /// The means to fetch photos and to keep them.
  private struct Means: Sendable {
    let source: any PhotoSource
    let folder: PhotoFolder
    let work: UploadFolder
    let program: PictureProgram
    let requestsPerDay: Int
  }

  enum Answer: Equatable, Sendable {
    case kept(KeptPhoto)
    /// It is being fetched.
    case awaited
    /// There is none now.
    case missing
    /// So many others are being fetched that this one is not yet.
    case busy
  }

  private let state: OrderedMutex<State>
  /// Nil where no photos are served.
  private let means: Means?
  private let pictures: PictureWork
  private let files = BoundedQueue("madang.photos", waitingMax: SharedPhotos.waitingMax)
  private let clock: any Clock
  private let notify: @Sendable (OperatorNotification) -> Void

  init(
    _ configuration: PhotoConfiguration?,
    _ catalogue: CountryCatalogue,
    _ media: SharedMedia,
    clock: any Clock,
    _ notify: @escaping @Sendable (OperatorNotification) -> Void
  ) {
    pictures = media.work
    self.clock = clock
    self.notify = notify
    guard let configuration, let program = media.work.program, !media.work.formats.isEmpty,
      let folder = PhotoFolder(configuration.folder), let work = UploadFolder(in: configuration.folder)
    else {
      means = nil
      state = OrderedMutex(.leaf, State(use: PhotoUse()))
      return
    }
    means = Means(
      source: configuration.source,
      folder: folder,
      work: work,
      program: program,
      requestsPerDay: configuration.requestsPerDay
    )
    var kept: [CountryCode: KeptPhoto] = [:]
    for country in catalogue.countries { kept[country.code] = folder.photo(of: country.code) }
    state = OrderedMutex(.leaf, State(kept: kept, use: folder.use() ?? PhotoUse()))
  }

  /// Whether photos are served at all.
  var areServed: Bool { means != nil }

  /// The requests of the day, and their bound; 0 and 0 where no photos are served.
  var requests: (used: Int, bound: Int) {
    guard let means else { return (0, 0) }
    let now = Instant(clock.now())
    return state.withLock { state in
      state.use.advance(to: now)
      return (state.use.requests, means.requestsPerDay)
    }
  }

  /// The photo of a country, as it is kept.
  func photo(of country: CountryCode) -> KeptPhoto? { state.withLock { $0.kept[country] } }

  /// The photo of a country for who asks. Begins to fetch it where it is not of this day; `ended` is then called when
  /// there is a new one, or none, on any thread.
  func ask(for country: Country, _ ended: @escaping @Sendable (_ isNew: Bool) -> Void) -> Answer {
    guard let means else { return .missing }
    let (now, code) = (Instant(clock.now()), country.code)
    let (answer, begins) = state.withLock { state -> (Answer, Bool) in
      state.use.advance(to: now)
      let kept = state.kept[code]
      if state.filling.contains(code) { return (kept.map { .kept($0) } ?? .awaited, false) }
      let isDue = state.use.allowsFill(
        of: code,
        keptOn: kept?.day,
        at: now,
        requests: means.source.requestsMin,
        of: means.requestsPerDay
      )
      guard isDue else { return (kept.map { .kept($0) } ?? .missing, false) }
      guard state.filling.count < Self.fillsMax else { return (kept.map { .kept($0) } ?? .busy, false) }
      state.filling.insert(code)
      state.use.begin(code, at: now)
      return (kept.map { .kept($0) } ?? .awaited, true)
    }
    if begins { fetch(country, means, ended) }
    return answer
  }

  /// Opens the file of a country's photo beside the shards; false where too many reads wait.
  func open(_ country: CountryCode, _ completion: @escaping @Sendable (PhotoFile?) -> Void) -> Bool {
    files.run { [self] in
      let file = means?.folder.open(country)
      // Somebody has emptied the folder: the photo is fetched again.
      if file == nil { state.withLock { $0.kept[country] = nil } }
      completion(file)
    }
  }

  /// Reads a part of a file beside the shards; what was begun is read, however many others wait.
  func read(_ range: Range<Int>, of file: PhotoFile, _ completion: @escaping @Sendable ([UInt8]) -> Void) {
    files.runAlways { completion(file.read(range)) }
  }

  // Fetching, step by step: the source, the program, the disk.

  private func fetch(_ country: Country, _ means: Means, _ ended: @escaping @Sendable (Bool) -> Void) {
    let errand = PhotoErrand(
      country: country,
      run: { [files] in files.runAlways($0) },
      pay: { [self] in pay(means) }
    )
    let end: @Sendable (Result<KeptPhoto, PhotoFailure>) -> Void = { [self] in
      ended(take($0, of: country.code, means))
    }
    files.runAlways {
      means.source.find(errand) { found in
        self.files.runAlways {
          switch found {
          case .success(let photo): self.clean(photo, of: country.code, means, end)
          case .failure(let failure): end(.failure(failure))
          }
        }
      }
    }
  }

  /// Counts a request and writes that down before it is sent, so that a crash forgets none.
  private func pay(_ means: Means) -> PhotoFailure? {
    let now = Instant(clock.now())
    let use = state.withLock { state -> PhotoUse? in
      state.use.advance(to: now)
      return state.use.takeRequest(of: means.requestsPerDay) ? state.use : nil
    }
    guard let use else { return .quotaUsed }
    return means.folder.note(use) ? nil : .unable("the use of the source can't be written down")
  }

  private func clean(
    _ found: FoundPhoto,
    of country: CountryCode,
    _ means: Means,
    _ end: @escaping @Sendable (Result<KeptPhoto, PhotoFailure>) -> Void
  ) {
    let name = "\(country)-\(Hexadecimal.encode(RandomBytes.make(count: 8)))"
    guard PhotoFolder.write(found.bytes, to: "\(means.work.path)/\(name)") else {
      means.work.delete([name])
      return end(.failure(.unable("the disk does not take a photo")))
    }
    let cleaning = PictureCleaning(
      program: means.program,
      folder: means.work.path,
      input: name,
      formats: pictures.formats,
      sizes: [.phone],
      bytesMax: FoundPhoto.bytesMax
    )
    let verdict = pictures.run(for: .server) {
      let cleaned = Result { () throws(PictureRefusal) in try cleaning.run() }
      self.files.runAlways {
        end(self.keep(cleaned, of: country, by: found.attribution, means))
        means.work.delete([name])
      }
    }
    if case .taken = verdict { return }
    means.work.delete([name])
    end(.failure(.unable("too many pictures wait to be decoded")))
  }

  private func keep(
    _ cleaned: Result<CleanedPicture, PictureRefusal>,
    of country: CountryCode,
    by attribution: String,
    _ means: Means
  ) -> Result<KeptPhoto, PhotoFailure> {
    let picture: CleanedPicture
    switch cleaned {
    case .success(let clean): picture = clean
    case .failure(let refusal):
      if let failure = refusal.failure { notify(.pictureNotCleaned(failure)) }
      let isOurs = refusal.code == .mediaUnavailable || refusal.code == .storeUnavailable
      return .failure(isOurs ? .unable("photos can't be decoded") : .noPhoto("what came: \(refusal.code.text)"))
    }
    defer { picture.delete() }
    let line = PhotoAttribution.line(of: attribution)
    // Not the clock's, which may have gone back.
    let day = state.withLock { $0.use.day }
    guard let file = picture.files.values.first,
      let photo = means.folder.keep(file, picture.type, of: country, on: day, by: line)
    else { return .failure(.unable("the disk does not take a photo")) }
    return .success(photo)
  }

  /// Notes how the fetching has ended, and tells the operator of failures; returns whether there is a new photo.
  private func take(_ result: Result<KeptPhoto, PhotoFailure>, of country: CountryCode, _ means: Means) -> Bool {
    let now = Instant(clock.now())
    let (use, notification) = state.withLock { state -> (PhotoUse?, OperatorNotification?) in
      state.filling.remove(country)
      state.use.advance(to: now)
      switch result {
      case .success(let photo):
        state.kept[country] = photo
        state.use.noteSuccess(country)
        return (nil, nil)
      case .failure(.noPhoto(let why)):
        state.use.noteMissing(country)
        return (state.use, .photoMissing(country, why))
      case .failure(.picture(let why, let retryAfterS)):
        state.use.noteOutage(of: country, at: now, retryAfterS: retryAfterS)
        return (nil, .photoMissing(country, why))
      case .failure(.source(let why, let retryAfterS)):
        state.use.noteFailure(at: now, retryAfterS: retryAfterS)
        return (nil, .photoSourceFails(why))
      case .failure(.unable(let why)):
        state.use.noteFailure(at: now, retryAfterS: nil)
        return (nil, .photoSourceFails(why))
      case .failure(.quotaUsed):
        guard state.toldDay != state.use.day else { return (nil, nil) }
        state.toldDay = state.use.day
        return (nil, .photoRequestsUsed(means.requestsPerDay))
      }
    }
    // A forgotten entry costs one more request.
    if let use { _ = means.folder.note(use) }
    if let notification { notify(notification) }
    if case .success = result { return true }
    return false
  }
}
