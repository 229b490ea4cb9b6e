// The texts of the views of countries, in Korean and English. They come with these views.

export const countryWords = {
  countriesHint: ["나라를 골라 그곳의 이야기를 봐요", "Choose a country, and see its stories"],
  continents: ["대륙", "Continents"],
  "continent.ASIA": ["아시아", "Asia"],
  "continent.EUROPE": ["유럽", "Europe"],
  "continent.AFRICA": ["아프리카", "Africa"],
  "continent.OCEANIA": ["오세아니아", "Oceania"],
  "continent.NORTH_AMERICA": ["북아메리카", "North America"],
  "continent.SOUTH_AMERICA": ["남아메리카", "South America"],
  "countries.recommended": ["{name}에서 추천해요", "Recommended in {name}"],
  "countries.all": ["{name}의 나라 {n}곳", "{n} countries of {name}"],
  "countries.found": ["찾은 나라 {n}곳", "{n} countries found", "1 country found"],
  allOf: ["{name} 모두 보기", "All of {name}"],
  capital: ["수도", "Capital"],
  continent: ["대륙", "Continent"],
  population: ["인구", "Population"],
  people: ["{n}명 ({year}년)", "{n} ({year})"],
  otherName: ["영어 이름", "In Korean"],
  countryTop: ["가장 사랑받은 글", "Most liked post"],
  photoOf: ["{name}의 사진", "A photo of {name}"],
};
