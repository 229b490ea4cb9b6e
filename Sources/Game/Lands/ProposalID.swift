// The identifier of a proposal of a land, the same in every table and message.

/// The permanent identifier of a proposal.
package struct ProposalID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}
