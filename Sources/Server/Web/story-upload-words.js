// The texts of uploads of pictures, in Korean and English. They come with the forms that upload.

export const uploadWords = {
  remove: ["빼기", "Remove"],
  again: ["다시 올리기", "Try again"],
  "state.waiting": ["기다리는 중", "Waiting"],
  "state.shrinking": ["줄이는 중", "Making it smaller"],
  "state.sending": ["올리는 중 {percent}%", "Uploading, {percent}%"],
  "state.resting": ["연결을 기다려요, {percent}%까지 올라갔어요", "Waiting for the network, {percent}% are there"],
  "state.checking": ["서버가 확인하는 중", "The server looks at it"],
  "state.done": ["올라갔어요", "Uploaded"],
  notPicture: ["{name}: JPEG, PNG, WebP, HEIC 사진만 돼요", "{name}: only JPEG, PNG, WebP and HEIC pictures"],
  failedPictures: ["올리지 못한 사진이 있어요. 다시 올리거나 빼 주세요", "A picture was not uploaded. Try again, or remove it"],
  "error.MEDIA_NOT_FOUND": ["올린 지 오래된 사진이 있어요. 빼고 다시 올려 주세요", "A picture was uploaded too long ago. Remove it and add it again"],
  "error.MEDIA_TOO_LARGE": ["5 MB보다 커요", "Larger than 5 MB"],
  "error.MEDIA_TYPE_REFUSED": ["이 종류의 사진은 받지 않아요", "This kind of picture is not taken"],
  "error.MEDIA_NOT_A_PICTURE": ["사진이 아니에요", "Not a picture"],
  "error.MEDIA_TOO_MANY_PIXELS": ["너무 큰 사진이에요", "Too many pixels"],
  "error.MEDIA_DAMAGED": ["깨진 사진이에요", "The picture is damaged"],
  "error.MEDIA_UNAVAILABLE": ["이 서버는 사진을 받지 않아요", "This server takes no pictures"],
};
