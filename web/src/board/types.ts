/** What the server sends once for an edition's board: everything to draw it, from the same geometry as the printed boards. */

export interface Spot {
  x: number;
  y: number;
}

export interface CarData extends Spot {
  angle: number;
}

export interface LabelData {
  x: number;
  y: number;
  width: number;
  height: number;
  side: string;
  anchor: "start" | "middle" | "end";
  lines: [number, number, string][];
}

/** A city, or a gate to a country. */
export interface CityData extends Spot {
  name: string;
  radius: number;
  country: string | null;
  /** Direction in which a gate's track leaves. */
  angle: number;
  /** How far below the middle of the disc its station stands. */
  house: number;
  label: LabelData;
}

export interface TrackData {
  track: number;
  from: string;
  to: string;
  length: number;
  colour: string;
  tunnel: boolean;
  ferry: number;
  points: number;
  /** Tracks between the same two cities, this one included. */
  parallel: number[];
  cars: CarData[];
  /** Cars of a ferry that need a locomotive, by their place. */
  symbols: number[];
  path: string;
  /** Waves of a ferry, an SVG path; empty for others. */
  waves: string;
}

export interface SlotData {
  place: string;
  /** Where 1, 2, … passengers stand: spots[count - 1]. */
  spots: [number, number][][];
  zoom: number;
  /** Line to the disc when they stand away from it, by count; null where there is none. */
  tethers: ([number, number, number, number] | null)[];
}

export interface LandData {
  /** sea, grid, shore, abroad, land, region, river, lake, border: a class that the style sheet knows. */
  kind: string;
  path: string;
  /** The layer whose path this one repeats; its own is then empty. */
  of?: string;
  /** From the path's numbers to the board's. */
  scale: number;
  /** Of its line, in the path's numbers. */
  width?: number;
  opacity?: number;
}

export interface BoardData {
  edition: string;
  board: string;
  name: string;
  width: number;
  height: number;
  car_length: number;
  car_width: number;
  font_size: number;
  /** Type of the countries' names. */
  gate_font_size: number;
  gate_spacing: number;
  /** Layers from the bottom up. */
  land: LandData[];
  compass: CarData | null;
  cities: CityData[];
  tracks: TrackData[];
  slots: SlotData[];
  /** Points by track length. */
  points: Record<string, number>;
  stations: number;
  trains: number;
  station_points: number;
  passenger_colours: Record<string, number>;
}

/** Something on the board that one can point at. */
export type What = { track: number } | { city: string };

/** A board and how it stands, as one viewer sees it. */
export interface Position {
  board: BoardData;
  /** Track → seat. */
  owners: Record<string, number>;
  /** Seat → colour 0..4. */
  colours: number[];
  names: string[];
  /** City → seat. */
  stations?: Record<string, number>;
  passengers?: Record<string, string[]>;
  closed?: number[];
  /** Tracks that I can claim right now. */
  claimable?: Set<number>;
  /** Cities where I can build, while I am choosing one. */
  placing?: Set<string> | null;
  last?: number[];
  lastCity?: string | null;
  /** The longest path, in its order. */
  path?: number[];
  /** My best way for a ticket. */
  way?: { tracks: number[]; missing: number[] } | null;
  /** Cities or countries that are pointed out. */
  beacons?: string[];
  /** The track that I am about to claim. */
  selected?: number | null;
  /** My seat. */
  mine?: number | null;
}
