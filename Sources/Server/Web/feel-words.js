// The texts of a game's moments and of the switch for sound, in Korean and English.

export const feelWords = {
  OPEN: ["길이 시작됐어요. 에워싸 보세요!", "Your path has begun: go around!"],
  OUTSIDE_ARENA: ["경기장 밖으로 나가 길이 사라졌어요", "Outside the arena: your path is gone"],
  TOO_LONG: ["길이 너무 오래되어 사라졌어요", "Your path took too long"],
  CUT: ["누가 내 길을 끊었어요!", "Somebody cut your path!"],
  SUSPECTED: ["길이 사라졌어요", "Your path is gone"],
  TOO_SMALL: ["조금 더 크게 돌아 보세요", "Too small: go around more"],
  ALREADY_YOURS: ["이미 내 땅이었어요", "That ground was yours already"],
  NO_CELL: ["너무 좁아서 땅이 되지 않았어요", "Too narrow to be ground"],
  LOOPED: ["{n} m²는 너무 작아요. {min} m²부터 내 땅이 돼요", "{n} m² is too small: ground begins at {min} m²"],
  NEVER_AWAY: [
    "출발점에서 30 m 넘게 멀어지지 않아 아직 내 땅이 아니에요. 내 길을 가로지르면 돼요",
    "Not yours yet: it never was 30 m from its start. Cross your own path to close it",
  ],
  OWN_GROUND: ["여기는 이미 내 땅이에요. 밖으로 나가면 새 길이 시작돼요", "This ground is yours already: walk out of it to take more"],
  sound: ["소리와 진동", "Sound and vibration"],
  stolen: ["−{n} m² 빼앗겼어요!", "−{n} m²: stolen!"],
  badgeMoment: ["새 배지!", "A new badge!"],
  landMoment: ["한 바퀴 성공!", "All the way around!"],
};
