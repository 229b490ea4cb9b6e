// The texts of the page of a link to a game, in Korean and English, beside those of `track-words.js`.

export const pageWords = {
  shared: ["친구가 보여 주는 놀이", "A friend shares a game"],
  loading: ["불러오는 중…", "Loading…"],
  whatIsShown: [
    "땅과 점수는 모두의 것이 보여요. 길과 별명은 허락한 사람의 것만, 길의 처음과 끝 200 m는 빼고 보여요.",
    "Ground and points are everybody's. Ways and nicknames are of those who allow it, without the first and last 200 m.",
  ],
  playToo: ["나도 놀기", "Play too"],
  gone: ["이 링크의 놀이는 더 이상 볼 수 없어요. 나눈 사람이 닫았거나, 길을 남겨 두는 날이 지났어요.", "The game of this link is not shown any more. It was closed, or its ways are no longer kept."],
  busy: ["지금은 볼 수 없어요. 잠시 뒤 새로 고쳐 주세요.", "It can't be shown now. Reload the page in a moment."],
  FOOTPRINT: ["발자국", "Footprints"],
  TERRITORY: ["땅따먹기", "Territory"],
  LAND: ["학교 돌기", "Lands"],
  points: ["{n}점", "{n} pts", "{n} pt"],
  area: ["{n} m²", "{n} m²"],
  lands: ["{n}곳", "{n} lands", "{n} land"],
  zoomIn: ["크게", "Closer"],
  zoomOut: ["작게", "Further"],
  everyone: ["모두 보기", "Show everything"],
};
