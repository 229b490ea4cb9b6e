// The identifiers of a plan and of its stops, the same in every table and message. Plain values.

/// The permanent identifier of a plan.
package struct PlanID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}

/// The identifier of a stop, unique in its plan. A copy of the plan has stops of the same identifiers.
package struct PlanStopID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}
