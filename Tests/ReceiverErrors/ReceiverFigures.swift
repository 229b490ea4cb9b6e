// Made by scripts/receiver_errors/swift_figures.py from docs/receiver-errors.json.

extension ReceiverFigures {
  static let open = ReceiverFigures(
    accuracyLevelMm: Quantiles([3000, 3000, 3900, 4000, 5000, 5000, 5754, 5914, 5932]),
    accuracyWithinWalkPermille: Quantiles([506, 750, 981, 1000, 1250, 2500, 6000, 52430, 128790]),
    wanderPermilleOfAxis: Quantiles([814, 846, 889, 1262, 1382, 1936, 2265, 2338, 2347]),
    stepUsualMmPerRootS: Quantiles([27, 28, 255, 355, 471, 580, 712, 712, 712]),
    stepPermilleOfUsual: Quantiles([0, 49, 382, 1000, 2203, 6519, 49299, 83707, 90899]),
    whiteMm: Quantiles([0, 0, 0, 0, 0, 40, 44, 44, 44]),
    jumpsPerMillionFixes: Quantiles([0, 0, 11523, 17404, 33803, 59051, 68345, 68345, 68345]),
    jumpMm: Quantiles([2510, 2624, 3022, 3633, 4880, 9662, 14307, 21169, 22726]),
    jumpLastsFixes: Quantiles([1, 1, 3, 6, 18, 60, 60, 60, 60]),
    jumpAccuracyPermilleOfBefore: Quantiles([60, 500, 981, 1000, 1102, 1972, 2612, 6245, 6383]),
    intervalMs: Quantiles([304, 689, 990, 1000, 1008, 1271, 4000, 9026, 25000]),
    gapMs: Quantiles([3000, 3000, 4278, 5055, 5785, 11002, 17540, 24754, 25000]),
    accuracyCorrelationPermille: 961,
    stepBurstPermille: 655,
    stepTurnPermille: 429,
    jumpUndoneAtOncePermille: 621,
    gapsPerMillionFixes: 13245
  )

  static let city = ReceiverFigures(
    accuracyLevelMm: Quantiles([6233, 6621, 10000, 10000, 10000, 11041, 13641, 14625, 14732]),
    accuracyWithinWalkPermille: Quantiles([231, 500, 1000, 1000, 1000, 3000, 5486, 20000, 130800]),
    wanderPermilleOfAxis: Quantiles([429, 484, 778, 899, 1255, 1564, 1763, 1821, 1828]),
    stepUsualMmPerRootS: Quantiles([6, 19, 413, 541, 582, 761, 918, 944, 944]),
    stepPermilleOfUsual: Quantiles([1, 108, 474, 1000, 1992, 9406, 53351, 92133, 221198]),
    whiteMm: Quantiles([0, 0, 0, 0, 0, 0, 14, 177, 177]),
    jumpsPerMillionFixes: Quantiles([0, 11114, 15786, 20863, 25207, 37872, 52304, 55556, 55556]),
    jumpMm: Quantiles([2507, 2653, 3751, 5270, 8609, 23681, 54942, 467268, 782078]),
    jumpLastsFixes: Quantiles([1, 1, 2, 8, 24, 60, 60, 60, 60]),
    jumpAccuracyPermilleOfBefore: Quantiles([50, 475, 1000, 1000, 1000, 2007, 11545, 83633, 118909]),
    intervalMs: Quantiles([306, 783, 1000, 1000, 1003, 4000, 6391, 17999, 30000]),
    gapMs: Quantiles([2529, 3000, 3992, 5049, 6012, 13999, 22410, 29435, 30000]),
    accuracyCorrelationPermille: 941,
    stepBurstPermille: 611,
    stepTurnPermille: 457,
    jumpUndoneAtOncePermille: 646,
    gapsPerMillionFixes: 40916
  )

  static let canyon = ReceiverFigures(
    accuracyLevelMm: Quantiles([15886, 20346, 30000, 40833, 65000, 93710, 155177, 195518, 200000]),
    accuracyWithinWalkPermille: Quantiles([50, 333, 785, 1000, 1093, 2671, 6667, 38759, 49197]),
    wanderPermilleOfAxis: Quantiles([308, 314, 335, 406, 481, 724, 792, 807, 809]),
    stepUsualMmPerRootS: Quantiles([90, 325, 526, 734, 1335, 2348, 2348, 2348, 2348]),
    stepPermilleOfUsual: Quantiles([4, 150, 518, 1000, 1797, 4368, 11841, 52445, 62626]),
    whiteMm: Quantiles([0, 0, 0, 0, 43, 328, 329, 329, 329]),
    jumpsPerMillionFixes: Quantiles([7874, 8996, 25278, 47335, 87971, 480490, 837980, 869565, 869565]),
    jumpMm: Quantiles([3463, 6404, 9896, 19484, 26495, 45383, 114945, 175422, 188868]),
    jumpLastsFixes: Quantiles([1, 1, 1, 2, 9, 60, 60, 60, 60]),
    jumpAccuracyPermilleOfBefore: Quantiles([150, 362, 919, 1000, 1000, 1936, 3200, 6088, 6667]),
    intervalMs: Quantiles([301, 998, 1000, 2000, 5060, 6634, 12165, 23616, 28999]),
    gapMs: Quantiles([2515, 3000, 4000, 5060, 7000, 17367, 25993, 28999, 28999]),
    accuracyCorrelationPermille: 926,
    stepBurstPermille: 478,
    stepTurnPermille: 322,
    jumpUndoneAtOncePermille: 789,
    gapsPerMillionFixes: 58988
  )
}
