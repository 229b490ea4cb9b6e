// The podium of a game that is over: a part of its board.

/**
 * The rows on the podium in its order: second, first, third. Each has its `place`. Where somebody has won, it is the
 * people's; one who was alone with practice opponents sees them there, too.
 */
export function podiumOf(board) {
  const isWon = board.some(({ won }) => won);
  const first = board.filter(({ points, rank, walker }) => points > 0 && (walker ? !isWon : rank <= 3)).slice(0, 3);
  return [1, 0, 2].map((index) => first[index] && { ...first[index], place: index + 1 }).filter(Boolean);
}
