// The slots of features' parts in a session. The one list of them, so that no two parts have the same;
// `Session` has room for as many.

enum SessionSlot: Int {
  case attendee
  case accountSession
  case tapper
  case announcementCursor
}
