/** Facts that the server and the engine decide. Made by scripts/write_facts.py: change them where they are at home. */

/** Kinds of cards, in the order in which they are shown. */
export const CARDS = ["purple", "blue", "orange", "white", "green", "yellow", "black", "red", "locomotive"] as const;
/** The kind of card that stands for every colour. */
export const LOCOMOTIVE = "locomotive";
/** Cards that lie open. */
export const FACE_UP = 5;
/** Cards that a tunnel turns up. */
export const TUNNEL_CARDS = 3;
/** Where points come from, as a score sheet lists them. */
export const SOURCES = ["routes", "tickets", "stations", "path", "passengers", "globetrotter"] as const;
/** Kinds of tickets. */
export const TICKET_KINDS = ["regular", "short", "long"] as const;
/** Colours of players; texts and styles name them. */
export const PLAYER_COLOURS = [0, 1, 2, 3, 4] as const;
/** Seats that a table can have. */
export const SEAT_COUNTS = [2, 3, 4, 5] as const;
/** How long bots wait before they act. */
export const PACES = ["calm", "brisk", "instant"] as const;
/** Quick reactions. */
export const REACTIONS = ["cheer", "laugh", "wow", "grr", "clap", "sorry"] as const;
/** Looks for which the server draws pictures. */
export const THEMES = ["light", "dark", "contrast"] as const;
/** Characters of a player's or a pack's name. */
export const LONGEST_NAME = 24;
/** Characters of a line of chat. */
export const LONGEST_CHAT = 500;
/** Ticket packs at a table. */
export const MOST_PACKS = 4;
/** Bytes of a map file. */
export const LARGEST_BOARD = 100000;
/** Tickets of a pack. */
export const MOST_PACK_TICKETS = 60;
/** Characters of a city's name. */
export const LONGEST_CITY = 80;
/** Least and most points of a pack's ticket. */
export const TICKET_POINTS = [1, 99] as const;
/** Shortest and longest key of a seat. */
export const KEY_LENGTHS = [8, 64] as const;
/** Codes with which a socket is closed for good: no such table, an unreadable one, wrong key, bad messages. */
export const FINAL_CLOSES = [4404, 4410, 4403, 1008] as const;
/** Keys that are looked up at once. */
export const MOST_KEYS = 100;
