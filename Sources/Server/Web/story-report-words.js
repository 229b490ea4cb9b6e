// The texts of reports and warnings, in Korean and English. They come with their dialogs.

export const reportWords = {
  reportTitle: ["운영자에게 알리기", "Tell the operators"],
  reportHint: ["이유를 3개까지 골라 주세요. 나에게는 바로 보이지 않게 돼요", "Choose up to 3 reasons. You won't see it any more"],
  "reason.SPAM": ["광고나 도배", "Advertising or spam"],
  "reason.HARASSMENT": ["누군가를 괴롭힘", "Harassment"],
  "reason.HATE": ["혐오", "Hate"],
  "reason.SEXUAL": ["성적인 내용", "Sexual content"],
  "reason.VIOLENCE": ["폭력이나 위협", "Violence or threats"],
  "reason.FALSE_INFORMATION": ["사실이 아님", "Not true"],
  "reason.PRIVACY": ["사생활 침해", "Somebody's private affairs"],
  "reason.COPYRIGHT": ["남의 작품", "Somebody else's work"],
  "reason.OTHER": ["그 밖의 이유", "Something else"],
  reportText: ["더 알릴 것 (안 적어도 돼요)", "More to tell (optional)"],
  reportSend: ["알리기", "Report"],
  reported: ["알려 주셔서 고마워요", "Thank you for telling"],
  warningTitle: ["운영자의 경고", "A warning from the operators"],
  warningSeen: ["확인했어요", "I have seen it"],
  "error.REASON_MISSING": ["이유를 하나 이상 골라 주세요", "Choose a reason"],
  "error.TOO_MANY_REASONS": ["이유는 3개까지예요", "At most 3 reasons"],
  "error.OWN_SUBJECT": ["내가 쓴 것은 알릴 수 없어요", "That is your own"],
  "error.TOO_MANY_REPORTS": ["더 알릴 수 없어요", "No more reports can be kept"],
};
