"""Every message between server and client, defined once.

FastAPI checks what comes in with these models and writes OpenAPI from them; `scripts/write_messages.py` makes the
client's TypeScript types from them. What goes out is built as plain data for speed; the tests check it against the
same models.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from whistlestop.mapfile import MAX_PLAYERS, MIN_PLAYERS

LONGEST_SEAT_NAME = 24
"""Of a player at a table: it must fit beside the board. Records of games take longer ones."""
LONGEST_CHAT = 500
LONGEST_BOT_NAME = 40
LONGEST_ACTION = 300
MOST_PACKS = 4
LONGEST_WAIT = 30.0
"""Seconds that a request may wait for news."""
REACTIONS = ("cheer", "laugh", "wow", "grr", "clap", "sorry")
PACES = {"calm": 1.8, "brisk": 1.0, "instant": 0.0}
"""How much longer than usual bots take to act; not at all, if they act at once."""

CardNumbers = dict[str, int]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_SEAT_NAME)]
Key = Annotated[str, StringConstraints(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
SeatNumber = Annotated[int, Field(ge=0, lt=MAX_PLAYERS)]
Colour = Annotated[int, Field(ge=0, lt=MAX_PLAYERS)]
"""A player colour; there are as many as players."""
Number = Annotated[int, Field(ge=0, le=100_000)]
"""The number of an action in a game, or the id of an action."""
TableId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{6,20}$")]
TrackNumber = Annotated[int, Field(ge=0, lt=256)]
CityName = Annotated[str, StringConstraints(max_length=80)]
EditionName = Annotated[str, StringConstraints(max_length=80)]
Feature = Literal[
    "tunnels", "ferries", "stations", "passengers", "longest_path", "globetrotter", "long_tickets", "countries"
]
RulesLanguage = Literal["en", "de"]
LessonName = Literal["usa", "europe", "germany"]
BotName = Annotated[str, StringConstraints(max_length=LONGEST_BOT_NAME)]
ChatText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_CHAT)]
ActionGiven = Number | Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_ACTION)]
"""An action by id or by text."""


class Data(BaseModel):
    """What the server sends."""

    model_config = ConfigDict(populate_by_name=True)


class ClientMessage(BaseModel):
    """What a client sends: nothing but what is asked for."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


# ---- the game as one player may see it ------------------------------------------------------------------------------
class TicketData(Data):
    """A ticket; `completed` where the viewer may know it."""

    from_: str = Field(alias="from")
    to: str
    points: int
    kind: Literal["regular", "short", "long"]
    """The deck it belongs to; a long one is marked where it lies among others."""
    completed: bool | None = None


class PlayerData(Data):
    """What everybody knows of a player."""

    name: str
    points: int
    trains: int
    stations_left: int
    stations: list[str]
    cards: int
    known: CardNumbers
    tickets: int
    tickets_by_deck: dict[str, int] | None
    announced: dict[str, int] | None
    """Germany: the mix of first tickets that the player announced, while all choose from them."""
    offered: int
    """How many tickets the player is choosing from."""
    passengers: dict[str, int]
    chosen: bool
    revealed: list[TicketData] | None


class TunnelData(Data):
    """A tunnel that is being asked about."""

    track: int
    laid: CardNumbers
    turned_up: list[str]
    hits: list[bool]
    """Which of the cards turned up make the tunnel dearer."""
    extra: int


class ViewData(Data):
    """What one seat, or a spectator, may know of the game now."""

    edition: str
    player: int | None
    phase: Literal["announce", "first_tickets", "turn", "second_card", "tickets", "tunnel", "passenger", "over"]
    to_move: list[int]
    last_round: int | None
    """Turns left in the last round: null before it has begun, 0 once the game is over."""
    hand: CardNumbers
    tickets: list[TicketData]
    offer: list[TicketData]
    face_up: list[str | None]
    deck: int
    discard: CardNumbers
    ticket_decks: dict[str, int]
    owners: dict[str, int]
    """Claimed tracks and the seats that own them."""
    closed: list[int]
    tunnel: TunnelData | None
    waiting: dict[str, list[str]]
    """Passengers by place."""
    players: list[PlayerData]


class Payment(Data):
    """A way to pay: the action's id and the cards it takes. The first of a list is the sensible one."""

    id: int
    cards: CardNumbers


class StationOptions(Data):
    """Where a station may stand and how it may be paid: the action's id is a city's number plus a payment's."""

    cities: dict[str, int]
    payments: list[Payment]


class Mix(Data):
    """How many tickets to draw from each deck."""

    id: int
    mix: dict[str, int]


class Keep(Data):
    """Tickets of the offer to keep, by their place in it."""

    id: int
    kept: list[int]


class Pick(Data):
    """A passenger to take, or nobody."""

    id: int
    passenger: str | None
    at: str


class Options(Data):
    """What the seat may do now, grouped for a screen; every number is the id of an action."""

    draw_blind: int | None = None
    draw_face_up: dict[str, int] = {}
    draw_tickets: list[Mix] = []
    announce: list[Mix] = []
    claims: dict[str, list[Payment]] = {}
    """By track."""
    stations: StationOptions | None = None
    keep: list[Keep] = []
    pay_extra: list[Payment] = []
    give_up: int | None = None
    passengers: list[Pick] = []
    pass_: int | None = Field(None, alias="pass")


class MoveData(Data):
    """One action as the viewer saw it: what stayed hidden from the viewer is not there."""

    n: int
    seat: int
    kind: Literal[
        "announce", "keep", "draw_blind", "draw_face_up", "draw_tickets", "claim", "station", "pay_extra", "give_up",
        "take_passenger", "pass",
    ]  # fmt: skip
    at: float
    """Seconds since 1970."""
    bot: bool = False
    card: str | None = None
    """Drawn face up, or blind by the viewer."""
    track: int | None = None
    city: str | None = None
    cards: CardNumbers | None = None
    """Paid."""
    turned_up: list[str] | None = None
    """By a tunnel."""
    hits: list[bool] | None = None
    """Which of them make it dearer."""
    extra: int | None = None
    """Cards the tunnel asks for besides; 0 if it was done at once."""
    claimed: int | None = None
    """The track that is the seat's now."""
    points: int | None = None
    """Gained by it."""
    mix: dict[str, int] | None = None
    """Tickets drawn from each deck, or announced. Announcements of others have it once all have announced: who got such
    a move before finds it in `PlayerData.announced`.
    """
    kept: int | None = None
    """How many tickets were kept, where others may know it."""
    tickets: list[TicketData] | None = None
    """Those tickets, for the seat itself."""
    passenger: str | None = None
    place: str | None = None


class Frame(Data):
    """The game as a seat sees it after action `n`, and what happened since the frame before."""

    t: Literal["frame"] = "frame"
    n: int
    seat: int | None
    view: ViewData
    options: Options | None
    moves: list[MoveData]
    """Since the number the client said it knew; all moves so far if it knew none."""
    deadline: float | None
    """When the turn's time ends, in seconds since 1970."""


# ---- the table ------------------------------------------------------------------------------------------------------
class SeatData(Data):
    """A seat at a table."""

    seat: int
    kind: Literal["open", "bot", "person"]
    name: str
    colour: Colour
    bot: str | None
    """Level of the bot that sits here or stands in."""
    stands_in: bool
    """A bot plays for a person who may come back."""
    for_one_turn: bool
    """The bot only ends the turn whose time ran out."""
    missed: int
    """Own turns in a row whose time ran out."""
    connected: bool
    shared: bool
    """Several people on one device."""
    votes: list[int]
    """Seats that want a bot to stand in."""


class TableData(Data):
    """A table as everybody may see it."""

    t: Literal["table"] = "table"
    id: str
    edition: str
    edition_name: str
    status: Literal["waiting", "playing", "over"]
    seats: list[SeatData]
    first: int | None
    """The first player if the host chose one; drawn by lot otherwise."""
    packs: list[str]
    turn_seconds: int | None
    pace: Literal["calm", "brisk", "instant"]
    created: float
    n: int
    """Actions played."""
    to_move: list[int]
    spectators: int
    seed_hash: str
    """SHA-256 of "seed:salt", given before the first card; both are revealed at the end."""
    rematch: str | None
    """The table on which the same people play again."""
    listed: bool
    """Anybody on this server may find it: sit down while seats are free, and watch."""
    board_hash: str | None
    """Of a board of somebody's own, by what is in its map file, which is at `/api/editions/{edition}/map.toml`."""
    lesson: LessonName | None
    """The lesson that is given here; its game began from a position laid by hand."""


class ChatData(Data):
    """A line of the table's chat."""

    t: Literal["chat"] = "chat"
    n: int
    seat: int
    name: str
    text: str
    at: float


class ReactionData(Data):
    """A quick reaction, which is not kept."""

    t: Literal["reaction"] = "reaction"
    seat: int
    reaction: Literal["cheer", "laugh", "wow", "grr", "clap", "sorry"]


class Welcome(Data):
    """The answer to hello: who you are here."""

    t: Literal["welcome"] = "welcome"
    seats: list[int]
    """Seats that your key holds."""
    seat: int | None
    """The one you look through."""
    host: bool
    watch: str | None
    """Key for spectators, to share."""
    table: TableData
    chat: list[ChatData]
    now: float
    """The server's clock."""


class ObstacleData(Data):
    """Why a track or a station cannot be had now."""

    code: Literal[
        "yours",
        "owned",
        "closed",
        "parallel",
        "trains",
        "cards",
        "no_station",
        "station_taken",
        "border",
        "not_now",
        "none",
    ]
    """`none`: nothing is in the way."""
    owner: int | None = None
    needs: int | None = None
    """Cards of the colour, trains, or cards of a station."""
    have: int | None = None
    colour: str | None = None
    """The colour of the track, or for a gray one the colour you hold most of."""
    gray: bool = False
    locomotives: int = 0
    """Locomotives you hold."""
    ferry: int = 0
    """Locomotives the ferry needs."""


class WhyData(Data):
    """The answer to why."""

    t: Literal["why"] = "why"
    ref: int | None
    track: int | None
    city: str | None
    obstacle: ObstacleData


class WayData(Data):
    """The answer to way: tracks of your cheapest way between two places, None if there is none."""

    t: Literal["way"] = "way"
    ref: int | None
    from_: str = Field(alias="from")
    to: str
    tracks: list[int] | None
    missing: list[int]
    """Those of them that you do not own yet."""
    trains: int
    """Trains they still need."""


class Ok(Data):
    """A request was granted."""

    t: Literal["ok"] = "ok"
    ref: int | None = None
    n: int | None = None
    """Number of the action that was stored."""


class PackFault(Data):
    """What is wrong with a ticket pack, in parts of a sentence."""

    pack: int
    """Which of the packs, from 0."""
    fault: Literal[
        "unknown_place", "border_space", "same_ends", "ticket_twice", "no_long_deck", "too_many", "pack_twice",
        "bad_value", "other",
    ]  # fmt: skip
    ticket: int | None = None
    """Which ticket of it, from 1."""
    key: str | None = None
    """Which part of the ticket."""
    word: str | None = None
    """The name that is wrong."""
    other: str | None = None
    """The name that is meant, or the other end of the ticket."""
    found: int | None = None
    most: int | None = None


class Refusal(Data):
    """A request was refused; nothing changed."""

    t: Literal["error"] = "error"
    ref: int | None = None
    code: str
    message: str
    hint: str | None = None
    pack: PackFault | None = None
    """With the code `bad_pack`."""
    line: int | None = None
    """With `bad_board`: where in the map file."""


class Pong(Data):
    """The answer to ping."""

    t: Literal["pong"] = "pong"
    ref: int | None
    now: float


FromServer = Welcome | TableData | Frame | ChatData | ReactionData | WhyData | WayData | Ok | Refusal | Pong


# ---- what a client sends over the socket ----------------------------------------------------------------------------
Ref = Annotated[int, Field(ge=0, le=2**31)] | None


class Hello(ClientMessage):
    """The first message: who I am, which seat I look through, and how much I know."""

    t: Literal["hello"]
    key: Key | None = None
    """A seat's or host's key, or the spectators'."""
    seat: SeatNumber | None = None
    n: Number | None = None
    """The last action I know of."""
    ref: Ref = None


class Sit(ClientMessage):
    """Look through another of my seats."""

    t: Literal["sit"]
    seat: SeatNumber
    ref: Ref = None


class Act(ClientMessage):
    """Play an action, by id or by text, on the state after action `n`."""

    t: Literal["act"]
    n: Number
    action: ActionGiven
    seat: SeatNumber | None = None
    ref: Ref = None


class Say(ClientMessage):
    """Say something at the table."""

    t: Literal["say"]
    text: ChatText
    seat: SeatNumber | None = None
    ref: Ref = None


class React(ClientMessage):
    """React quickly."""

    t: Literal["react"]
    reaction: Literal["cheer", "laugh", "wow", "grr", "clap", "sorry"]
    seat: SeatNumber | None = None
    ref: Ref = None


class Why(ClientMessage):
    """Why can't I have this track, or a station in this city?"""

    t: Literal["why"]
    track: TrackNumber | None = None
    city: CityName | None = None
    ref: Ref = None


class Way(ClientMessage):
    """What is my cheapest way between two places?"""

    t: Literal["way"]
    from_: CityName = Field(alias="from")
    to: CityName
    ref: Ref = None


class Vote(ClientMessage):
    """A bot should stand in for this seat, or no longer should."""

    t: Literal["vote"]
    seat: SeatNumber
    wanted: bool = True
    ref: Ref = None


class Leave(ClientMessage):
    """Let a bot play for me."""

    t: Literal["leave"]
    seat: SeatNumber | None = None
    ref: Ref = None


class Back(ClientMessage):
    """I am back: the bot that stood in leaves."""

    t: Literal["back"]
    seat: SeatNumber | None = None
    ref: Ref = None


class Ping(ClientMessage):
    """Are you there?"""

    t: Literal["ping"]
    ref: Ref = None


FromClient = Annotated[
    Hello | Sit | Act | Say | React | Why | Way | Vote | Leave | Back | Ping, Field(discriminator="t")
]  # fmt: skip


# ---- bodies of HTTP requests and answers ----------------------------------------------------------------------------
class SeatRequest(ClientMessage):
    """How a seat of a new table is filled."""

    kind: Literal["open", "bot", "device", "me"] = "open"
    """`me` and `device` are held by the key of whoever opens the table; `device` seats pass the device around."""
    name: Name | None = None
    colour: Colour | None = None
    bot: BotName | None = None


class PackTicket(ClientMessage):
    """A ticket of a pack."""

    from_: CityName = Field(alias="from")
    to: CityName
    points: Annotated[int, Field(ge=1, le=99)]
    kind: Literal["regular", "short", "long"] = "regular"


class Pack(ClientMessage):
    """A ticket pack as data."""

    name: Name
    tickets: Annotated[list[PackTicket], Field(min_length=1, max_length=60)]


class NewTable(ClientMessage):
    """A table to open."""

    edition: EditionName
    seats: Annotated[list[SeatRequest], Field(min_length=MIN_PLAYERS, max_length=MAX_PLAYERS)]
    packs: Annotated[list[Pack], Field(max_length=MOST_PACKS)] = []
    first: SeatNumber | None = None
    turn_seconds: Annotated[int, Field(ge=10, le=7 * 24 * 3600)] | None = None
    pace: Literal["calm", "brisk", "instant"] = "brisk"
    start: bool = False
    """Begin at once; needs every seat filled."""
    listed: bool = False
    """Let anybody on this server find it."""


class OpenLesson(ClientMessage):
    """Who wants to learn."""

    name: Name | None = None
    colour: Colour | None = None


class Join(ClientMessage):
    """Sit down at an open seat."""

    name: Name
    colour: Colour | None = None
    seat: SeatNumber | None = None


class Start(ClientMessage):
    """Begin; open seats are filled by this bot, or must not be left."""

    fill: BotName | None = None


class ChangeSeat(ClientMessage):
    """Host: change a seat while the table waits. Players: their own name and colour."""

    kind: Literal["open", "bot", "device"] | None = None
    name: Name | None = None
    colour: Colour | None = None
    bot: BotName | None = None


class ChangeTable(ClientMessage):
    """Host: whether anybody on this server may find the table, while it waits."""

    listed: bool


class ActionRequest(ClientMessage):
    """An action over HTTP, on the state after action `n`."""

    n: Number
    action: ActionGiven
    seat: SeatNumber | None = None


class ChatRequest(ClientMessage):
    """A line of chat over HTTP."""

    text: ChatText
    seat: SeatNumber | None = None


class SeatKey(Data):
    """Your place at a table. The key is a secret: whoever has it, plays."""

    table: str
    key: str
    seats: list[int]
    host: bool
    watch: str


class MineRequest(ClientMessage):
    """Keys that a browser keeps, to ask how its tables are."""

    keys: Annotated[list[Key], Field(max_length=100)]


class Mine(Data):
    """One of my tables."""

    key: str
    seats: list[int]
    host: bool
    table: TableData
    my_turn: bool


class ListedSeat(Data):
    """A seat at a table that anybody may find."""

    kind: Literal["open", "bot", "person"]
    name: str
    colour: Colour
    bot: str | None


class ListedTable(Data):
    """A table that anybody may find."""

    id: str
    edition: str
    edition_name: str
    seats: list[ListedSeat]
    turn_seconds: int | None
    packs: list[str]
    since: float
    """When it was opened, or when its game began."""
    watch: str | None
    """Key for spectators, once there is a game to watch."""


class ListedPage(Data):
    """A page of such tables, the newest first."""

    tables: list[ListedTable]
    page: int
    pages: int
    total: int


class ListedTables(Data):
    """What anybody on this server can join, and watch."""

    enabled: bool
    """Whether this server lists tables at all."""
    open: ListedPage
    """Tables that wait and have a free seat."""
    watch: ListedPage
    """Games that go on."""


class CharacterData(Data):
    """A way to play that can be chosen at a level."""

    name: str
    title: str
    summary: str
    bot: str
    """What a seat is given for the level with this character."""


class BotData(Data):
    """A bot that can take a seat."""

    name: str
    title: str
    summary: str
    kind: Literal["level", "other", "fallback"]
    """Levels are what people choose from; the fallback plays for bots that fail."""
    readiness: Literal["ready", "preparing", "failed"]
    """Stronger bots are compiled in the background when a server runs for the first time."""
    characters: list[CharacterData]
    ratings: dict[str, int]
    """By edition and number of players, such as `usa/2`, where they were measured."""


class EditionData(Data):
    """Something that can be played."""

    id: str
    name: str
    summary: str
    board: str
    hash: str | None
    """Of a board of somebody's own, by what is in its map file; null for those that every server has."""
    players: Annotated[list[int], Field(min_length=2, max_length=2)]
    cities: int
    tracks: int
    tickets: int
    trains: int
    stations: int
    features: list[Feature]


class RuleData(Data):
    """A rule in words."""

    id: str
    title: str
    text: str
    """Paragraphs are parted by a blank line; a single line break is kept."""
    ours: bool
    """A ruling of ours, where the published rules are silent."""


class RuleChapter(Data):
    """Rules that belong together."""

    title: str
    intro: str
    rules: list[RuleData]


class RulesData(Data):
    """The rules of an edition, and its numbers."""

    edition: str
    points: list[tuple[int, int]]
    """Spaces of a track, and what it is worth."""
    trains: int
    hand: int
    last_round_trains: int
    parallel_from: int
    draw_count: int
    draw_keep_least: int
    stations: int
    station_points: int
    longest_path: int
    globetrotter: int
    passenger_points: tuple[int, int]
    features: list[Feature]
    chapters: list[RuleChapter]


class Health(Data):
    """How the server is."""

    status: Literal["ready", "warming", "stopping", "database"]
    """`database`: it does not answer, and so nothing can be played."""
    version: str
    done: int
    total: int
    what: str
    """What is being compiled while it warms up, or what is wrong."""
