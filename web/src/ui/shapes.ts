/** Signs and pieces as SVG paths, around their middle. Made by scripts/write_shapes.py from draw/svg.py: change them there. */
export const marks: Record<string, string> = {
  purple: "M0-4.4 4.4 0 0 4.4-4.4 0z",
  blue: "M-9-1.3H9V1.3H-9z",
  orange: "M-6-4-2.8-4 1 0-2.8 4-6 4-2.2 0zM0-4 3.2-4 7 0 3.2 4 0 4 3.8 0z",
  white: "M0-4.3a4.3 4.3 0 1 0 .1 0zM0-2.3a2.3 2.3 0 1 1-.1 0z",
  green: "M-3.6-4.2 4.6 0-3.6 4.2z",
  yellow: "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0z",
  black: "M-4.2-4.2h2.6v8.4h-2.6zM1.6-4.2h2.6v8.4H1.6z",
  red: "M-1.3-4.4H1.3V-1.3H4.4V1.3H1.3V4.4H-1.3V1.3H-4.4V-1.3H-1.3z",
};
export const badges: Record<string, string> = {
  purple: "M0-4.4 4.4 0 0 4.4-4.4 0z",
  blue: "M-4.6-1.5H4.6V1.5H-4.6z",
  orange: "M-4.6-4-1.6-4 1.6 0-1.6 4-4.6 4-1.4 0zM-.2-4 2.8-4 6 0 2.8 4-.2 4 3 0z",
  white: "M0-4.3a4.3 4.3 0 1 0 .1 0zM0-2.3a2.3 2.3 0 1 1-.1 0z",
  green: "M-3.6-4.2 4.6 0-3.6 4.2z",
  yellow: "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0z",
  black: "M-4.2-4.2h2.6v8.4h-2.6zM1.6-4.2h2.6v8.4H1.6z",
  red: "M-1.3-4.4H1.3V-1.3H4.4V1.3H1.3V4.4H-1.3V1.3H-4.4V-1.3H-1.3z",
};
export const locomotive: string =
  "M-9.5-4.6h6v2.2h6V-4.9h2.8v2.5h1.4q1.6 0 1.6 1.7v2.4l2.2 2.2h-2.6a2.1 2.1 0 0 1-4.1 0h-1.6a2.1 2.1 0 0 1-4.1 0h-1.6a2.1 2.1 0 0 1-4.1 0h-1.1v-6.5h-.8z";
export const house: string = "M-8 7.6V-3.3L0-9 8-3.3V7.6z";
export const figure: string = "M-5.8 9.8Q-6.4-1.4-2.8-3.9A4.2 4.2 0 1 1 2.8-3.9Q6.4-1.4 5.8 9.8z";
export const chest: number = 3.7;
export const compass: string[] = ["M0-46 7-7 0 0z", "M0-30 5.5-8 0 0z"];
