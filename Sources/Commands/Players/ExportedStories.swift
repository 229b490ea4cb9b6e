// The stories of `madang player export`: posts and comments, travel plans and the profile, made of the stored rows.
import Game
import Store

extension ExportedPlayer.OwnPost {
  init(_ post: Post, isHidden: Bool) {
    hidden = isHidden
    postId = post.id.description
    title = post.title
    text = post.text
    countries = post.countries.map(\.description)
    music = post.soundtrack.music.map { ExportedPlayer.NamedSound($0, of: Soundtrack.musicNames) }
    effects = post.soundtrack.effects.map { ExportedPlayer.NamedSound($0, of: Soundtrack.effectNames) }
    pictures = post.pictures.map(\.description)
    place = post.place.map(ExportedPlayer.Place.init)
    capsuleId = post.capsule?.description
    planId = post.plan?.description
    writtenAtMs = post.writtenAt.milliseconds
    editedAtMs = post.editedAt?.milliseconds
    (likes, views, comments) = (post.counts.likes, post.counts.views, post.counts.comments)
  }
}

extension ExportedPlayer.OwnPlan {
  init(_ own: PlayerTraces.OwnPlan, isHidden: Bool) {
    hidden = isHidden
    let plan = own.plan
    planId = plan.id.description
    title = plan.title
    firstDate = CivilDate(day: plan.days.lowerBound).text
    lastDate = CivilDate(day: plan.days.upperBound).text
    writtenAtMs = plan.writtenAt.milliseconds
    editedAtMs = plan.editedAt?.milliseconds
    takenOver = plan.takenOverCount
    takenFromPlanId = plan.origin?.plan.description
    stops = own.stops.map(ExportedPlayer.Stop.init)
  }
}

extension ExportedPlayer.Stop {
  init(_ stop: PlanStop) {
    stopId = stop.id.description
    date = CivilDate(day: stop.day).text
    title = stop.title
    text = stop.text
    place = stop.place.map(ExportedPlayer.Place.init)
  }
}

extension ExportedPlayer.Profile {
  init(_ profile: Profile) {
    introduction = profile.introduction
    mediaId = profile.picture?.description
    experience = profile.experience
    grade = Grade(experience: profile.experience).name
    collectibles = profile.collectibles.map {
      Collectible(kind: $0.collectible.name, awardedAtMs: $0.awardedAt.milliseconds)
    }
  }
}

extension ExportedPlayer.NamedSound {
  init(_ sound: Sound, of names: [String]) {
    name = names[sound.number]
    volumePercent = sound.volumePercent
  }
}

extension ExportedPlayer.OwnComment {
  init(_ comment: PostComment, isHidden: Bool) {
    hidden = isHidden
    commentId = comment.id.description
    postId = comment.post.description
    text = comment.text
    writtenAtMs = comment.writtenAt.milliseconds
    editedAtMs = comment.editedAt?.milliseconds
  }
}
