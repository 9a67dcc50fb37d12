/** Messages between server and client. Made by scripts/write_messages.py from server/messages.py: change them there. */
export type FromServer =
  Frame | TableData | ChatData | ReactionData | Welcome | WhyData | WayData | Ok | Refusal | Pong;

/**
 * A ticket; `completed` where the viewer may know it.
 */
export interface TicketData {
  from: string;
  to: string;
  points: number;
  kind: "regular" | "short" | "long";
  completed?: boolean | null;
}
/**
 * What everybody knows of a player.
 */
export interface PlayerData {
  name: string;
  points: number;
  trains: number;
  stations_left: number;
  stations: string[];
  cards: number;
  known: {
    [k: string]: number;
  };
  tickets: number;
  tickets_by_deck: {
    [k: string]: number;
  } | null;
  announced: {
    [k: string]: number;
  } | null;
  offered: number;
  passengers: {
    [k: string]: number;
  };
  chosen: boolean;
  revealed: TicketData[] | null;
}
/**
 * A tunnel that is being asked about.
 */
export interface TunnelData {
  track: number;
  laid: {
    [k: string]: number;
  };
  turned_up: string[];
  hits: boolean[];
  extra: number;
}
/**
 * What one seat, or a spectator, may know of the game now.
 */
export interface ViewData {
  edition: string;
  player: number | null;
  phase: "announce" | "first_tickets" | "turn" | "second_card" | "tickets" | "tunnel" | "passenger" | "over";
  to_move: number[];
  last_round: number | null;
  hand: {
    [k: string]: number;
  };
  tickets: TicketData[];
  offer: TicketData[];
  face_up: (string | null)[];
  deck: number;
  discard: {
    [k: string]: number;
  };
  ticket_decks: {
    [k: string]: number;
  };
  owners: {
    [k: string]: number;
  };
  closed: number[];
  tunnel: TunnelData | null;
  waiting: {
    [k: string]: string[];
  };
  players: PlayerData[];
}
/**
 * A way to pay: the action's id and the cards it takes. The first of a list is the sensible one.
 */
export interface Payment {
  id: number;
  cards: {
    [k: string]: number;
  };
}
/**
 * Where a station may stand and how it may be paid: the action's id is a city's number plus a payment's.
 */
export interface StationOptions {
  cities: {
    [k: string]: number;
  };
  payments: Payment[];
}
/**
 * How many tickets to draw from each deck.
 */
export interface Mix {
  id: number;
  mix: {
    [k: string]: number;
  };
}
/**
 * Tickets of the offer to keep, by their place in it.
 */
export interface Keep {
  id: number;
  kept: number[];
}
/**
 * A passenger to take, or nobody.
 */
export interface Pick {
  id: number;
  passenger: string | null;
  at: string;
}
/**
 * What the seat may do now, grouped for a screen; every number is the id of an action.
 */
export interface Options {
  draw_blind?: number | null;
  draw_face_up?: {
    [k: string]: number;
  };
  draw_tickets?: Mix[];
  announce?: Mix[];
  claims?: {
    [k: string]: Payment[];
  };
  stations?: StationOptions | null;
  keep?: Keep[];
  pay_extra?: Payment[];
  give_up?: number | null;
  passengers?: Pick[];
  pass?: number | null;
}
/**
 * One action as the viewer saw it: what stayed hidden from the viewer is not there.
 */
export interface MoveData {
  n: number;
  seat: number;
  kind:
    | "announce"
    | "keep"
    | "draw_blind"
    | "draw_face_up"
    | "draw_tickets"
    | "claim"
    | "station"
    | "pay_extra"
    | "give_up"
    | "take_passenger"
    | "pass";
  at: number;
  bot?: boolean;
  card?: string | null;
  track?: number | null;
  city?: string | null;
  cards?: {
    [k: string]: number;
  } | null;
  turned_up?: string[] | null;
  hits?: boolean[] | null;
  extra?: number | null;
  claimed?: number | null;
  points?: number | null;
  mix?: {
    [k: string]: number;
  } | null;
  kept?: number | null;
  tickets?: TicketData[] | null;
  passenger?: string | null;
  place?: string | null;
}
/**
 * The game as a seat sees it after action `n`, and what happened since the frame before.
 */
export interface Frame {
  t?: "frame";
  n: number;
  seat: number | null;
  view: ViewData;
  options: Options | null;
  moves: MoveData[];
  deadline: number | null;
}
/**
 * A seat at a table.
 */
export interface SeatData {
  seat: number;
  kind: "open" | "bot" | "person";
  name: string;
  colour: number;
  bot: string | null;
  stands_in: boolean;
  for_one_turn: boolean;
  missed: number;
  connected: boolean;
  shared: boolean;
  votes: number[];
}
/**
 * A table as everybody may see it.
 */
export interface TableData {
  t?: "table";
  id: string;
  edition: string;
  edition_name: string;
  status: "waiting" | "playing" | "over";
  seats: SeatData[];
  first: number | null;
  packs: string[];
  turn_seconds: number | null;
  pace: "calm" | "brisk" | "instant";
  created: number;
  n: number;
  to_move: number[];
  spectators: number;
  seed_hash: string;
  rematch: string | null;
  listed: boolean;
  board_hash: string | null;
  lesson: ("usa" | "europe" | "germany") | null;
}
/**
 * A line of the table's chat.
 */
export interface ChatData {
  t?: "chat";
  n: number;
  seat: number;
  name: string;
  text: string;
  at: number;
}
/**
 * A quick reaction, which is not kept.
 */
export interface ReactionData {
  t?: "reaction";
  seat: number;
  reaction: "cheer" | "laugh" | "wow" | "grr" | "clap" | "sorry";
}
/**
 * The answer to hello: who you are here.
 */
export interface Welcome {
  t?: "welcome";
  seats: number[];
  seat: number | null;
  host: boolean;
  watch: string | null;
  table: TableData;
  chat: ChatData[];
  now: number;
}
/**
 * Why a track or a station cannot be had now.
 */
export interface ObstacleData {
  code:
    | "yours"
    | "owned"
    | "closed"
    | "parallel"
    | "trains"
    | "cards"
    | "no_station"
    | "station_taken"
    | "border"
    | "not_now"
    | "none";
  owner?: number | null;
  needs?: number | null;
  have?: number | null;
  colour?: string | null;
  gray?: boolean;
  locomotives?: number;
  ferry?: number;
}
/**
 * The answer to why.
 */
export interface WhyData {
  t?: "why";
  ref: number | null;
  track: number | null;
  city: string | null;
  obstacle: ObstacleData;
}
/**
 * The answer to way: tracks of your cheapest way between two places, None if there is none.
 */
export interface WayData {
  t?: "way";
  ref: number | null;
  from: string;
  to: string;
  tracks: number[] | null;
  missing: number[];
  trains: number;
}
/**
 * A request was granted.
 */
export interface Ok {
  t?: "ok";
  ref?: number | null;
  n?: number | null;
}
/**
 * What is wrong with a ticket pack, in parts of a sentence.
 */
export interface PackFault {
  pack: number;
  fault:
    | "unknown_place"
    | "border_space"
    | "same_ends"
    | "ticket_twice"
    | "no_long_deck"
    | "too_many"
    | "pack_twice"
    | "bad_value"
    | "other";
  ticket?: number | null;
  key?: string | null;
  word?: string | null;
  other?: string | null;
  found?: number | null;
  most?: number | null;
}
/**
 * A request was refused; nothing changed.
 */
export interface Refusal {
  t?: "error";
  ref?: number | null;
  code: string;
  message: string;
  hint?: string | null;
  pack?: PackFault | null;
  line?: number | null;
}
/**
 * The answer to ping.
 */
export interface Pong {
  t?: "pong";
  ref: number | null;
  now: number;
}
/**
 * The first message: who I am, which seat I look through, and how much I know.
 */
export interface Hello {
  t: "hello";
  key?: string | null;
  seat?: number | null;
  n?: number | null;
  ref?: number | null;
}
/**
 * Look through another of my seats.
 */
export interface Sit {
  t: "sit";
  seat: number;
  ref?: number | null;
}
/**
 * Play an action, by id or by text, on the state after action `n`.
 */
export interface Act {
  t: "act";
  n: number;
  action: number | string;
  seat?: number | null;
  ref?: number | null;
}
/**
 * Say something at the table.
 */
export interface Say {
  t: "say";
  text: string;
  seat?: number | null;
  ref?: number | null;
}
/**
 * React quickly.
 */
export interface React {
  t: "react";
  reaction: "cheer" | "laugh" | "wow" | "grr" | "clap" | "sorry";
  seat?: number | null;
  ref?: number | null;
}
/**
 * Why can't I have this track, or a station in this city?
 */
export interface Why {
  t: "why";
  track?: number | null;
  city?: string | null;
  ref?: number | null;
}
/**
 * What is my cheapest way between two places?
 */
export interface Way {
  t: "way";
  from: string;
  to: string;
  ref?: number | null;
}
/**
 * A bot should stand in for this seat, or no longer should.
 */
export interface Vote {
  t: "vote";
  seat: number;
  wanted?: boolean;
  ref?: number | null;
}
/**
 * Let a bot play for me.
 */
export interface Leave {
  t: "leave";
  seat?: number | null;
  ref?: number | null;
}
/**
 * I am back: the bot that stood in leaves.
 */
export interface Back {
  t: "back";
  seat?: number | null;
  ref?: number | null;
}
/**
 * Are you there?
 */
export interface Ping {
  t: "ping";
  ref?: number | null;
}
/**
 * How a seat of a new table is filled.
 */
export interface SeatRequest {
  kind?: "open" | "bot" | "device" | "me";
  name?: string | null;
  colour?: number | null;
  bot?: string | null;
}
/**
 * A ticket of a pack.
 */
export interface PackTicket {
  from: string;
  to: string;
  points: number;
  kind?: "regular" | "short" | "long";
}
/**
 * A ticket pack as data.
 */
export interface Pack {
  name: string;
  /**
   * @minItems 1
   * @maxItems 60
   */
  tickets: [PackTicket, ...PackTicket[]];
}
/**
 * A table to open.
 */
export interface NewTable {
  edition: string;
  /**
   * @minItems 2
   * @maxItems 5
   */
  seats:
    | [SeatRequest, SeatRequest]
    | [SeatRequest, SeatRequest, SeatRequest]
    | [SeatRequest, SeatRequest, SeatRequest, SeatRequest]
    | [SeatRequest, SeatRequest, SeatRequest, SeatRequest, SeatRequest];
  /**
   * @maxItems 4
   */
  packs?: [] | [Pack] | [Pack, Pack] | [Pack, Pack, Pack] | [Pack, Pack, Pack, Pack];
  first?: number | null;
  turn_seconds?: number | null;
  pace?: "calm" | "brisk" | "instant";
  start?: boolean;
  listed?: boolean;
}
/**
 * Who wants to learn.
 */
export interface OpenLesson {
  name?: string | null;
  colour?: number | null;
}
/**
 * Sit down at an open seat.
 */
export interface Join {
  name: string;
  colour?: number | null;
  seat?: number | null;
}
/**
 * Begin; open seats are filled by this bot, or must not be left.
 */
export interface Start {
  fill?: string | null;
}
/**
 * Host: change a seat while the table waits. Players: their own name and colour.
 */
export interface ChangeSeat {
  kind?: ("open" | "bot" | "device") | null;
  name?: string | null;
  colour?: number | null;
  bot?: string | null;
}
/**
 * Host: whether anybody on this server may find the table, while it waits.
 */
export interface ChangeTable {
  listed: boolean;
}
/**
 * An action over HTTP, on the state after action `n`.
 */
export interface ActionRequest {
  n: number;
  action: number | string;
  seat?: number | null;
}
/**
 * A line of chat over HTTP.
 */
export interface ChatRequest {
  text: string;
  seat?: number | null;
}
/**
 * Your place at a table. The key is a secret: whoever has it, plays.
 */
export interface SeatKey {
  table: string;
  key: string;
  seats: number[];
  host: boolean;
  watch: string;
}
/**
 * Keys that a browser keeps, to ask how its tables are.
 */
export interface MineRequest {
  /**
   * @maxItems 100
   */
  keys: string[];
}
/**
 * One of my tables.
 */
export interface Mine {
  key: string;
  seats: number[];
  host: boolean;
  table: TableData;
  my_turn: boolean;
}
/**
 * A seat at a table that anybody may find.
 */
export interface ListedSeat {
  kind: "open" | "bot" | "person";
  name: string;
  colour: number;
  bot: string | null;
}
/**
 * A table that anybody may find.
 */
export interface ListedTable {
  id: string;
  edition: string;
  edition_name: string;
  seats: ListedSeat[];
  turn_seconds: number | null;
  packs: string[];
  since: number;
  watch: string | null;
}
/**
 * A page of such tables, the newest first.
 */
export interface ListedPage {
  tables: ListedTable[];
  page: number;
  pages: number;
  total: number;
}
/**
 * What anybody on this server can join, and watch.
 */
export interface ListedTables {
  enabled: boolean;
  open: ListedPage;
  watch: ListedPage;
}
/**
 * A way to play that can be chosen at a level.
 */
export interface CharacterData {
  name: string;
  title: string;
  summary: string;
  bot: string;
}
/**
 * A bot that can take a seat.
 */
export interface BotData {
  name: string;
  title: string;
  summary: string;
  kind: "level" | "other" | "fallback";
  readiness: "ready" | "preparing" | "failed";
  characters: CharacterData[];
  ratings: {
    [k: string]: number;
  };
}
/**
 * Something that can be played.
 */
export interface EditionData {
  id: string;
  name: string;
  summary: string;
  board: string;
  hash: string | null;
  /**
   * @minItems 2
   * @maxItems 2
   */
  players: [number, number];
  cities: number;
  tracks: number;
  tickets: number;
  trains: number;
  stations: number;
  features: (
    "tunnels" | "ferries" | "stations" | "passengers" | "longest_path" | "globetrotter" | "long_tickets" | "countries"
  )[];
}
/**
 * A rule in words.
 */
export interface RuleData {
  id: string;
  title: string;
  text: string;
  ours: boolean;
}
/**
 * Rules that belong together.
 */
export interface RuleChapter {
  title: string;
  intro: string;
  rules: RuleData[];
}
/**
 * The rules of an edition, and its numbers.
 */
export interface RulesData {
  edition: string;
  points: [number, number][];
  trains: number;
  hand: number;
  last_round_trains: number;
  parallel_from: number;
  draw_count: number;
  draw_keep_least: number;
  stations: number;
  station_points: number;
  longest_path: number;
  globetrotter: number;
  /**
   * @minItems 2
   * @maxItems 2
   */
  passenger_points: [number, number];
  features: (
    "tunnels" | "ferries" | "stations" | "passengers" | "longest_path" | "globetrotter" | "long_tickets" | "countries"
  )[];
  chapters: RuleChapter[];
}
/**
 * How the server is.
 */
export interface Health {
  status: "ready" | "warming" | "stopping" | "database";
  version: string;
  done: number;
  total: number;
  what: string;
}
/**
 * A station at the end: the track it borrowed and its route in words, None if it was not needed.
 */
export interface BorrowedData {
  city: string;
  track: number | null;
  route: string | null;
}
/**
 * A player's points by source, and what they came from.
 */
export interface PlayerEnd {
  name: string;
  routes: number;
  tickets: number;
  stations: number;
  path: number;
  passengers: number;
  globetrotter: number;
  total: number;
  completed: TicketData[];
  failed: TicketData[];
  path_length: number;
  path_tracks: number[];
  path_cities: string[];
  borrowed: BorrowedData[];
  collected: {
    [k: string]: number;
  };
  passenger_points: {
    [k: string]: number;
  };
}
/**
 * The final count.
 */
export interface ResultData {
  players: PlayerEnd[];
  winners: number[];
  decided_by: "points" | "tickets" | "stations" | "path" | "passengers" | "shared";
  ended_by: "trains ran out" | "all passed" | "counted as it lies";
}
/**
 * Everybody's standing after a turn, for charts.
 */
export interface Moment {
  n: number;
  seat: number;
  points: number[];
  trains: number[];
  cards: number[];
  tickets: number[];
}
/**
 * What a seat did in the whole game.
 */
export interface SeatStats {
  turns: number;
  blind: number;
  face_up: number;
  locomotives: number;
  claims: number;
  mean_length: number;
  longest_track: number;
  ticket_draws: number;
  tickets_kept: number;
  tunnels: number;
  tunnels_dear: number;
  tunnels_lost: number;
  stations: number;
  seconds: number;
}
/**
 * The result of a finished game, its course and its secrets.
 */
export interface EndData {
  table: TableData;
  result: ResultData;
  seed: string;
  salt: string;
  seed_hash: string;
  timeline: Moment[];
  stats: SeatStats[];
  n: number;
  turns: number;
  began: number;
  ended: number;
}
/**
 * Where one car of a track stands, and its direction in degrees.
 */
export interface CarData {
  x: number;
  y: number;
  angle: number;
}
/**
 * The name beside a city: its box, and its lines as x, y and text.
 */
export interface LabelData {
  x: number;
  y: number;
  width: number;
  height: number;
  side: string;
  anchor: "start" | "middle" | "end";
  lines: [number, number, string][];
}
/**
 * A city, or a gate to a country.
 */
export interface CityData {
  name: string;
  x: number;
  y: number;
  radius: number;
  country: string | null;
  angle: number;
  house: number;
  label: LabelData;
}
/**
 * One line of spaces between two cities.
 */
export interface TrackData {
  track: number;
  from: string;
  to: string;
  length: number;
  colour: string;
  tunnel: boolean;
  ferry: number;
  points: number;
  parallel: number[];
  cars: CarData[];
  symbols: number[];
  path: string;
  waves: string;
}
/**
 * Where the passengers of a place stand.
 */
export interface SlotData {
  place: string;
  spots: [number, number][][];
  zoom: number;
  tethers: ([number, number, number, number] | null)[];
}
/**
 * A layer of the land.
 */
export interface LandData {
  kind: string;
  path: string;
  of?: string | null;
  scale: number;
  width?: number | null;
  opacity?: number | null;
}
/**
 * Everything to draw an edition's board, from the same geometry as the printed boards.
 */
export interface BoardData {
  edition: string;
  board: string;
  name: string;
  width: number;
  height: number;
  car_length: number;
  car_width: number;
  font_size: number;
  gate_font_size: number;
  gate_spacing: number;
  land: LandData[];
  compass: CarData | null;
  cities: CityData[];
  tracks: TrackData[];
  slots: SlotData[];
  points: {
    [k: string]: number;
  };
  stations: number;
  trains: number;
  station_points: number;
  passenger_colours: {
    [k: string]: number;
  };
}
/**
 * Whether boards of one's own can be played here.
 */
export interface BoardLimits {
  enabled: boolean;
  largest: number;
  playtest_games: number;
}
/**
 * A board that was brought and can be played.
 */
export interface OwnBoardData {
  hash: string;
  name: string;
  editions: EditionData[];
  remarks: string[];
}
/**
 * Games of bots on a board that somebody brought, to measure it.
 */
export interface PlaytestData {
  id: string;
  edition: string;
  status: "waiting" | "getting_ready" | "running" | "done" | "failed";
  done: number;
  all: number;
  code: string | null;
  message: string | null;
}
/**
 * What one player has at a real table; tracks and tickets by number or in words.
 */
export interface PlayerHoldings {
  name: string;
  colour: number;
  /**
   * @maxItems 128
   */
  tracks?: (number | string)[];
  /**
   * @maxItems 3
   */
  stations?: [] | [string] | [string, string] | [string, string, string];
  /**
   * @maxItems 128
   */
  tickets?: (number | string)[];
  passengers?: {
    [k: string]: number;
  };
}
/**
 * A real table as it lies.
 */
export interface RealTableRequest {
  edition: string;
  /**
   * @minItems 2
   * @maxItems 5
   */
  players:
    | [PlayerHoldings, PlayerHoldings]
    | [PlayerHoldings, PlayerHoldings, PlayerHoldings]
    | [PlayerHoldings, PlayerHoldings, PlayerHoldings, PlayerHoldings]
    | [PlayerHoldings, PlayerHoldings, PlayerHoldings, PlayerHoldings, PlayerHoldings];
  force?: boolean;
}
/**
 * What no game comes to, and its sentence.
 */
export interface OddityData {
  code: "owned" | "closed" | "parallel" | "trains" | "station_taken" | "ticket_taken" | "passengers";
  player: number | null;
  other: number | null;
  track: number | null;
  city: string | null;
  ticket: number | null;
  colour: string | null;
  have: number | null;
  most: number | null;
  text: string;
}
/**
 * What was not said, and its sentence.
 */
export interface GapData {
  code: "cards" | "unfinished" | "no_tickets";
  player: number | null;
  text: string;
}
/**
 * The count of a real table.
 */
export interface CountData {
  edition: string;
  result: ResultData;
  trains: number[];
  odd: OddityData[];
  gaps: GapData[];
}
/**
 * One player of a real table, with what is entered already; tracks and tickets by number.
 */
export interface NewRealPlayer {
  name: string;
  colour: number;
  /**
   * @maxItems 128
   */
  tracks?: number[];
  /**
   * @maxItems 3
   */
  stations?: [] | [string] | [string, string] | [string, string, string];
  /**
   * @maxItems 128
   */
  tickets?: number[];
  passengers?: {
    [k: string]: number;
  };
}
/**
 * A wish to keep a real table on this server.
 */
export interface NewRealTable {
  edition: string;
  /**
   * @minItems 2
   * @maxItems 5
   */
  players:
    | [NewRealPlayer, NewRealPlayer]
    | [NewRealPlayer, NewRealPlayer, NewRealPlayer]
    | [NewRealPlayer, NewRealPlayer, NewRealPlayer, NewRealPlayer]
    | [NewRealPlayer, NewRealPlayer, NewRealPlayer, NewRealPlayer, NewRealPlayer];
  running?: boolean;
  first?: number;
}
/**
 * What a player of a real table has now, as far as it has changed.
 */
export interface ChangeHoldings {
  version: number;
  name?: string | null;
  colour?: number | null;
  tracks?: number[] | null;
  stations?: [] | [string] | [string, string] | [string, string, string] | null;
  tickets?: number[] | null;
  passengers?: {
    [k: string]: number;
  } | null;
  force?: boolean;
}
/**
 * A change of the table itself.
 */
export interface ChangeRealTable {
  revision: number;
  running?: boolean | null;
  turn?: number | null;
  counted?: boolean | null;
}
/**
 * One player of a real table, as a phone may know it.
 */
export interface RealPlayerData {
  name: string;
  colour: number;
  version: number;
  mine: boolean;
  elsewhere: boolean;
  tracks: number[];
  stations: string[];
  passengers: {
    [k: string]: number;
  };
  ticket_count: number;
  tickets: number[] | null;
}
/**
 * A real table, as a phone may know it.
 */
export interface RealTableData {
  id: string;
  edition: string;
  edition_name: string;
  created: number;
  version: number;
  revision: number;
  host: boolean;
  counted: boolean;
  running: boolean;
  turn: number;
  to_move: number;
  turns_left: number | null;
  low: number[];
  players: RealPlayerData[];
  count: CountData;
}
/**
 * The secret of a phone at a real table: with it come changes, and the tickets of its players.
 */
export interface RealTableKey {
  table: string;
  key: string;
}
/**
 * The table after a change of what a player has.
 */
export interface ChangedHoldings {
  refused: OddityData[];
  table: RealTableData;
}
