// The texts of the page on which a player sets a new password, in Korean and English.

export const resetWords = {
  title: ["새 비밀번호", "New password"],
  hint: ["운영자가 보낸 링크입니다. 한 번만 쓸 수 있어요.", "An operator has sent you this link. It is good once."],
  password: ["비밀번호 (8자에서 64자)", "Password (8 to 64 characters)"],
  again: ["한 번 더", "Once more"],
  set: ["정하기", "Set"],
  doneTitle: ["비밀번호를 정했어요", "Your password is set"],
  doneText: ["이제 앱에서 새 비밀번호로 들어오세요. 다른 기기는 모두 나갔어요.", "Log in with it in the app. All your other devices are out."],
  "fault.link": ["이 링크는 이미 썼거나, 24시간이 지났거나, 없는 링크예요. 운영자에게 새 링크를 받으세요.", "This link was used, its 24 hours are over, or there is none like it. Ask an operator for a new one."],
  "fault.password": ["비밀번호는 8자에서 64자예요", "A password has 8 to 64 characters"],
  "fault.again": ["두 비밀번호가 달라요", "The two passwords differ"],
  "fault.tooOften": ["너무 자주 시도했어요. 조금 뒤에 다시 해 주세요", "Too many tries. Come back in a moment"],
  "fault.busy": ["서버가 잠시 쉬고 있어요. 조금 뒤에 다시 해 주세요", "The server needs a moment. Please try again"],
  "fault.line": ["서버가 답하지 않아요", "The server does not answer"],
};
