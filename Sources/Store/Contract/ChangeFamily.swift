// The outcome type of each family of changes, for callers that wait for the outcome of one change. Pure.

/// A family of changes with an outcome type of its own.
package protocol ChangeFamily: Sendable {
  associatedtype FamilyOutcome: Hashable, Sendable

  /// The change as a batch has it.
  var change: Change { get }

  /// The family's outcome in `outcome`, which a commit gave for a change of this family. An outcome of another family
  /// breaks the store's promise and traps.
  static func outcome(in outcome: Outcome) -> FamilyOutcome
}

extension RoomChange: ChangeFamily {
  package var change: Change { .room(self) }

  package static func outcome(in outcome: Outcome) -> WriteOutcome {
    guard case .room(let outcome) = outcome else { preconditionFailure("a room's change has a room's outcome") }
    return outcome
  }
}

extension GameChange: ChangeFamily {
  package var change: Change { .game(self) }

  package static func outcome(in outcome: Outcome) -> GameOutcome {
    guard case .game(let outcome) = outcome else { preconditionFailure("a game's change has a game's outcome") }
    return outcome
  }
}

extension SessionChange: ChangeFamily {
  package var change: Change { .session(self) }

  package static func outcome(in outcome: Outcome) -> SessionOutcome {
    guard case .session(let outcome) = outcome else {
      preconditionFailure("a session's change has a session's outcome")
    }
    return outcome
  }
}

extension AccountChange: ChangeFamily {
  package var change: Change { .account(self) }

  package static func outcome(in outcome: Outcome) -> AccountOutcome {
    guard case .account(let outcome) = outcome else {
      preconditionFailure("an account's change has an account's outcome")
    }
    return outcome
  }
}

extension DeletionChange: ChangeFamily {
  package var change: Change { .deletion(self) }

  package static func outcome(in outcome: Outcome) -> WriteOutcome {
    guard case .deletion(let outcome) = outcome else {
      preconditionFailure("a deletion's change has a deletion's outcome")
    }
    return outcome
  }
}

extension SanctionChange: ChangeFamily {
  package var change: Change { .sanction(self) }

  package static func outcome(in outcome: Outcome) -> SanctionOutcome {
    guard case .sanction(let outcome) = outcome else {
      preconditionFailure("a sanction's change has a sanction's outcome")
    }
    return outcome
  }
}

extension ImportChange: ChangeFamily {
  package var change: Change { .import(self) }

  package static func outcome(in outcome: Outcome) -> ImportOutcome {
    guard case .import(let outcome) = outcome else { preconditionFailure("an import has an import's outcome") }
    return outcome
  }
}

extension ProposalChange: ChangeFamily {
  package var change: Change { .proposal(self) }

  package static func outcome(in outcome: Outcome) -> ProposalOutcome {
    guard case .proposal(let outcome) = outcome else {
      preconditionFailure("a proposal's change has a proposal's outcome")
    }
    return outcome
  }
}

extension CapsuleChange: ChangeFamily {
  package var change: Change { .capsule(self) }

  package static func outcome(in outcome: Outcome) -> CapsuleOutcome {
    guard case .capsule(let outcome, _) = outcome else {
      preconditionFailure("a capsule's change has a capsule's outcome")
    }
    return outcome
  }
}

extension WebhookChange: ChangeFamily {
  package var change: Change { .webhook(self) }

  package static func outcome(in outcome: Outcome) -> WebhookOutcome {
    guard case .webhook(let outcome) = outcome else {
      preconditionFailure("a change of webhooks has an outcome of webhooks")
    }
    return outcome
  }
}

extension StoryChange: ChangeFamily {
  package var change: Change { .story(self) }

  package static func outcome(in outcome: Outcome) -> StoryOutcome {
    guard case .story(let outcome, _) = outcome else { preconditionFailure("a story's change has a story's outcome") }
    return outcome
  }
}

extension MediaChange: ChangeFamily {
  package var change: Change { .media(self) }

  package static func outcome(in outcome: Outcome) -> MediaOutcome {
    guard case .media(let outcome) = outcome else { preconditionFailure("a change of media has an outcome of media") }
    return outcome
  }
}

extension PlanChange: ChangeFamily {
  package var change: Change { .plan(self) }

  package static func outcome(in outcome: Outcome) -> PlanOutcome {
    guard case .plan(let outcome, _) = outcome else { preconditionFailure("a plan's change has a plan's outcome") }
    return outcome
  }
}

extension ProfileChange: ChangeFamily {
  package var change: Change { .profile(self) }

  package static func outcome(in outcome: Outcome) -> ProfileOutcome {
    guard case .profile(let outcome) = outcome else {
      preconditionFailure("a profile's change has a profile's outcome")
    }
    return outcome
  }
}

extension ModerationChange: ChangeFamily {
  package var change: Change { .moderation(self) }

  package static func outcome(in outcome: Outcome) -> ModerationOutcome {
    guard case .moderation(let outcome) = outcome else {
      preconditionFailure("a change of moderation has an outcome of moderation")
    }
    return outcome
  }
}

extension TrackChange: ChangeFamily {
  package var change: Change { .track(self) }

  package static func outcome(in outcome: Outcome) -> TrackOutcome {
    guard case .track(let outcome) = outcome else { preconditionFailure("a track's change has a track's outcome") }
    return outcome
  }
}

extension HistoryMinute: ChangeFamily {
  package var change: Change { .minute(self) }

  package static func outcome(in outcome: Outcome) -> WriteOutcome {
    guard case .minute(let outcome) = outcome else { preconditionFailure("a minute has a minute's outcome") }
    return outcome
  }
}

extension AuditEntry: ChangeFamily {
  package var change: Change { .audit(self) }

  package static func outcome(in outcome: Outcome) -> WriteOutcome {
    guard case .audit(let outcome) = outcome else { preconditionFailure("an audit entry has an audit entry's outcome") }
    return outcome
  }
}
