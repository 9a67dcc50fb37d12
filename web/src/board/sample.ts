/** A small board for the tests of this folder. */

import type { BoardData, CityData, TrackData } from "../messages";

const city = (name: string, x: number, y: number, country: string | null = null): CityData => ({
  name,
  x,
  y,
  radius: 10,
  country,
  angle: 0,
  house: 0,
  label: { x, y, width: 10, height: 10, side: "e", anchor: "start", lines: [] },
});

/** A level track of two cars, drawn from left to right whatever its first city is. */
const track = (index: number, from: string, to: string, left: number, right: number, y: number): TrackData => ({
  track: index,
  from,
  to,
  length: 2,
  colour: "red",
  tunnel: false,
  ferry: 0,
  points: 2,
  parallel: [index],
  cars: [
    { x: left + 30, y, angle: 0 },
    { x: right - 30, y, angle: 0 },
  ],
  symbols: [],
  path: `M${left + 10} ${y}L${right - 10} ${y}`,
  waves: "",
});

export const board: BoardData = {
  edition: "toy",
  board: "toy",
  name: "Toy",
  width: 400,
  height: 200,
  car_length: 30,
  car_width: 10,
  font_size: 16,
  gate_font_size: 12,
  gate_spacing: 0.7,
  land: [],
  compass: null,
  cities: [
    city("A", 50, 100),
    city("B", 170, 100),
    city("C", 290, 100),
    city("North", 60, 10, "Land"),
    city("South", 280, 190, "Land"),
  ],
  tracks: [track(0, "A", "B", 50, 170, 100), track(1, "C", "B", 170, 290, 100), track(2, "A", "B", 50, 170, 112)],
  slots: [],
  points: {},
  stations: 0,
  trains: 45,
  station_points: 0,
  passenger_colours: {},
};
