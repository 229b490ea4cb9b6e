// libcurl's driver: begins exchanges, lets them go on, and completes those that have ended.
//
// Used on the client's queue alone. It occupies the queue's thread while exchanges are under way, since it waits there
// for their network events; the mailbox wakes it. Without exchanges it returns, and connections to reuse stay open.
import CCurl

final class TransferDriver {
  private let mailbox: RequestMailbox
  private let settings: HTTPClientSettings
  /// Nil after the stop.
  private var multi: MultiHandle?
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]

  /// A bound in case that a wake-up is lost, which no system is known to do.
  private static let waitMsMax: Int32 = 1_000

  init(_ mailbox: RequestMailbox, _ settings: HTTPClientSettings, _ multi: MultiHandle) {
    self.mailbox = mailbox
    self.settings = settings
    self.multi = multi
  }

  /// Works until nothing is under way and the mailbox is empty.
  func run() {
    while let mail = mailbox.collect(
      slots: settings.limits.transfersMax - transfers.count,
      isIdle: transfers.isEmpty
    ) {
      for refusal in mail.refused { refusal.then(.failure(refusal.failure)) }
      if mail.isStopped { close() }
      if let multi { advance(mail.begun, multi) }
      for stop in mail.stops { stop() }
    }
  }

  private func close() {
    endAll(with: .cancelled)
    mailbox.dropHandle()
    multi = nil
  }

  private func advance(_ begun: [RequestMailbox.Entry], _ multi: MultiHandle) {
    for entry in begun {
      let transfer = Transfer(entry, settings)
      transfer.setOptions(settings, entry.request)
      transfers[transfer.handle] = transfer
      let code = curl_multi_add_handle(multi.pointer, transfer.handle)
      precondition(code == CURLM_OK, "libcurl takes a new transfer")
    }
    var runningCount: Int32 = 0
    var code = curl_multi_perform(multi.pointer, &runningCount)
    // A slot that is free is given away before the wait.
    if !completeEnded(multi) && code == CURLM_OK && !transfers.isEmpty {
      code = curl_multi_poll(multi.pointer, nil, 0, Self.waitMsMax, nil)
    }
    if code != CURLM_OK { endAll(with: .other(String(cString: curl_multi_strerror(code)))) }
  }

  /// Completes the transfers that have ended; returns whether there were any.
  private func completeEnded(_ multi: MultiHandle) -> Bool {
    var ended: [(transfer: Transfer, code: CURLcode)] = []
    var leftCount: Int32 = 0
    while let message = curl_multi_info_read(multi.pointer, &leftCount) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      // The message ends with the handle's place in libcurl.
      let code = message.pointee.data.result
      ended.append((remove(handle, from: multi), code))
    }
    mailbox.close(count: ended.count)
    for (transfer, code) in ended { transfer.then(transfer.result(code)) }
    return !ended.isEmpty
  }

  private func endAll(with failure: HTTPFailure) {
    guard let multi else { return }
    let ended = transfers.keys.map { remove($0, from: multi) }
    mailbox.close(count: ended.count)
    for transfer in ended { transfer.then(.failure(failure)) }
  }

  private func remove(_ handle: UnsafeMutableRawPointer, from multi: MultiHandle) -> Transfer {
    guard let transfer = transfers.removeValue(forKey: handle) else { preconditionFailure("a transfer is known") }
    precondition(curl_multi_remove_handle(multi.pointer, handle) == CURLM_OK, "libcurl gives a transfer back")
    return transfer
  }
}
