// The table of the API's routes, beside the table of acts: dispatch, roles and the API's own description are made of
// both.
//
// Pure. A test holds that each act of a machine's is here once.
// Decisions: 138 (docs/decisions).

extension APIRoute {
  static let all: [APIRoute] = reads + actsOnPlayers + actsOnLists + actsOnServer

  private static let reads: [APIRoute] = [
    .read(
      "openapi.json",
      .document,
      nil,
      named: "openapi",
      answer: nil,
      "This description, in OpenAPI 3.1."
    ),
    .read("server", .server, nil, named: "server", answer: "Hello", "The server in short, and what the token may do."),
    .read("overview", .overview, "AskOverview", named: "overview", answer: "Overview", "The server's figures."),
    .read(
      "history",
      .history,
      "AskMinutes",
      named: "history",
      answer: "MinuteList",
      "The server's figures of each minute of the last 24 hours."
    ),
    .read("rooms", .view("rooms"), "WatchRooms", named: "rooms", answer: "RoomList", "A page of the open rooms."),
    .read("rooms/{room}", .room, "WatchRoom", named: "room", answer: "Room", "One room as its players see it."),
    .read(
      "rooms/{room}/games",
      .games,
      "GamesOfRoom",
      named: "games",
      answer: "GameList",
      "The newest games of a room."
    ),
    .read(
      "games/{game}",
      .game,
      "AskGame",
      named: "game",
      answer: "EndedGame",
      "A game that has ended, with its results."
    ),
    .read("games/{game}/track", .track, "AskGame", named: "track", answer: "Track", "The course of a game."),
    .read(
      "games/{game}/gpx",
      .gpx,
      "AskGame",
      named: "gpx",
      answer: nil,
      as: GameGPX.mediaType,
      "The walks of a game that has ended, as GPX 1.1: a track for each player."
    ),
    .read(
      "players",
      .players,
      "FindPlayers",
      named: "players",
      answer: "PlayerList",
      "Players whom a text finds, absent ones too; at most fifty."
    ),
    .read(
      "players/{player}",
      .player,
      "FileOfPlayer",
      named: "player",
      answer: "PlayerFile",
      "All of one player: account, devices, rooms, results, sanctions, reports, operators' actions."
    ),
    .read(
      "players/{player}/results",
      .results,
      "AskResults",
      named: "results",
      answer: "ResultPage",
      "A page of a player's results."
    ),
    .read(
      "connections",
      .view("connections"),
      "WatchConnections",
      named: "connections",
      answer: "ConnectionList",
      "A page of the players' connections."
    ),
    .read("suspects", .view("suspects"), nil, named: "suspects", answer: "Suspects", "Players who may be cheating."),
    .read("sanctions", .view("sanctions"), nil, named: "sanctions", answer: "SanctionList", "Bans and mutes in force."),
    .read(
      "reports",
      .view("reports"),
      "WatchReports",
      named: "reports",
      answer: "ReportPage",
      "A page of reported things."
    ),
    .read(
      "schools",
      .view("schools"),
      "WatchSchools",
      named: "schools",
      answer: "SchoolList",
      "The ranking of schools."
    ),
    .read(
      "school-list",
      .schools,
      "FindSchools",
      named: "schoolList",
      answer: "SchoolPage",
      "A page of the whole list of schools, closed ones too, or of those that a text finds; an import takes its rows."
    ),
    .read(
      "places",
      .view("places"),
      "WatchPlaces",
      named: "places",
      answer: "Places",
      "Fences, lands and capsules on a map."
    ),
    .read("lands", .lands, "AskLands", named: "lands", answer: "LandPage", "A page of the lands on a map."),
    .read(
      "lands/{land}",
      .land,
      "AskLand",
      named: "land",
      answer: "OfferedLand",
      "One land with its name and its whole ring, as an import takes it."
    ),
    .read(
      "land-proposals",
      .view("proposals"),
      nil,
      named: "proposals",
      answer: "ProposalList",
      "Lands that players propose and that wait."
    ),
    .read(
      "webhooks",
      .view("webhooks"),
      nil,
      named: "webhooks",
      answer: "WebhookList",
      "Webhooks and their deliveries."
    ),
    .read("audit", .view("audit"), "WatchAudit", named: "audit", answer: "AuditPage", "A page of operators' actions."),
    .read(
      "operators",
      .view("operators"),
      nil,
      named: "operators",
      answer: "OperatorList",
      "Operators, tokens and sessions; below admins nothing."
    ),
  ]

  private static let actsOnPlayers: [APIRoute] = [
    .act(
      .post,
      "players/{player}/kick",
      .kick,
      "ActOnPlayer",
      "Takes a player out of their room for good and disconnects them; they may come again."
    ),
    .act(
      .put,
      "players/{player}/ban",
      .ban,
      "Sanction",
      "Kicks a player, and refuses them until the ban ends; it takes the place of another ban."
    ),
    .act(.delete, "players/{player}/ban", .unban, "ActOnPlayer", "Lifts a ban."),
    .act(
      .put,
      "players/{player}/mute",
      .mute,
      "Sanction",
      "Refuses a player's chats, posts and comments until the mute ends; it takes the place of another mute."
    ),
    .act(.delete, "players/{player}/mute", .unmute, "ActOnPlayer", "Lifts a mute."),
    .act(
      .post,
      "players/{player}/warnings",
      .warn,
      "Warn",
      needing: ["text"],
      "Tells a player something until they have seen it."
    ),
    .act(
      .post,
      "players/{player}/password-reset",
      .resetPassword,
      "ActOnPlayer",
      "Makes a link by which the owner of an account sets a new password, once; the answer has it."
    ),
    .act(
      .post,
      "players/{player}/void-taps",
      .voidTaps,
      "VoidTaps",
      needing: ["season"],
      "Takes a player's taps of a season so far out of the schools' totals."
    ),
    .act(
      .post,
      "moderation/{kind}/{subject}/hide",
      .hide,
      "Moderate",
      "Hides a thing from everybody but its author."
    ),
    .act(
      .post,
      "moderation/{kind}/{subject}/restore",
      .restore,
      "Moderate",
      "Shows a thing again, or leaves it shown: reports hide it no more."
    ),
    .act(
      .delete,
      "rooms/{room}",
      .closeRoom,
      "CloseRoom",
      "Ends a room for good; a running game has no result."
    ),
    .act(
      .post,
      "announcements",
      .announce,
      "Announce",
      needing: ["text"],
      "Sends a text to a room, or to everybody who is connected."
    ),
  ]

  private static let actsOnLists: [APIRoute] = [
    .act(
      .post,
      "land-proposals/{proposal}/accept",
      .acceptLand,
      "AcceptLand",
      "Makes a waiting proposal a land."
    ),
    .act(
      .post,
      "land-proposals/{proposal}/decline",
      .declineLand,
      "DeclineLand",
      needing: ["reason"],
      "Declines a waiting proposal; its player reads the reason."
    ),
    .act(
      .post,
      "lands",
      .importLands,
      "ImportLands",
      needing: ["lands"],
      "Adds lands, all or none; a known one stays as it is."
    ),
    .act(
      .put,
      "lands/{land}",
      .renameLand,
      "RenameLand",
      needing: ["name"],
      "Gives a land another name; its ring, its times and its rankings stay."
    ),
    .act(
      .put,
      "schools",
      .importSchools,
      "ImportSchools",
      needing: ["schools"],
      without: ["first", "more"],
      "Applies an edition of the list of schools: its schools are new or changed, others are closed."
    ),
    .act(
      .put,
      "schools/{school}",
      .editSchool,
      "EditSchool",
      "Corrects the name of one school, closes it or opens it again, until the next edition of the list; its taps stay."
    ),
    .act(
      .post,
      "fences",
      .importFences,
      "ImportFences",
      needing: ["fences"],
      "Adds fences, or replaces those with the same identifiers; all or none."
    ),
    .act(
      .post,
      "fences/remove",
      .removeFences,
      "RemoveFences",
      needing: ["fenceIds"],
      "Removes fences; unknown ones are no fault."
    ),
    .act(
      .post,
      "webhooks",
      .addWebhook,
      "AddWebhook",
      needing: ["url", "events"],
      "Adds an address that is told of events. The answer has its identifier and its secret."
    ),
    .act(
      .delete,
      "webhooks/{webhook}",
      .removeWebhook,
      "ActOnWebhook",
      "Removes a webhook with all that waits for it."
    ),
    .act(
      .post,
      "webhooks/{webhook}/enable",
      .enableWebhook,
      "ActOnWebhook",
      "Has a webhook be sent to as if it had never failed."
    ),
    .act(.post, "webhooks/{webhook}/test", .testWebhook, "ActOnWebhook", "Sends a test event to a webhook."),
  ]

  private static let actsOnServer: [APIRoute] = [
    .act(
      .post,
      "seasons/{season}/close",
      .closeSeason,
      "CloseSeason",
      "Ends the running season, which must be this one, and begins the next."
    ),
    .act(.post, "drain", .drain, nil, "Ends the server in good order, as SIGTERM does."),
    .act(
      .post,
      "operators",
      .addOperator,
      "ActWithRole",
      needing: ["name", "role"],
      "Adds an operator. The answer has the link by which they set a password, once."
    ),
    .act(
      .post,
      "tokens",
      .addToken,
      "ActWithRole",
      needing: ["name", "role"],
      "Adds a machine's token, which is in the answer alone."
    ),
    .act(
      .put,
      "operators/{name}/role",
      .setRole,
      "ActWithRole",
      needing: ["role"],
      "Sets the role of an operator or a token."
    ),
    .act(.delete, "operators/{name}", .removeOperator, "ActOnOperator", "Removes an operator or a token."),
    .act(
      .post,
      "operators/{name}/reset",
      .resetOperator,
      "ActOnOperator",
      "Makes a new link for an operator, whose password, one-time codes and sessions are good no more."
    ),
    .act(.delete, "sessions/{session}", .endSession, "EndSession", "Ends one session of a browser."),
    .act(
      .delete,
      "operators/{name}/sessions",
      .endSession,
      "EndSession",
      named: "endSessions",
      "Ends all sessions of an operator."
    ),
  ]
}
