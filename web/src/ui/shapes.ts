/** Signs and pieces as SVG paths, around their middle. Made by scripts/write_shapes.py from draw/svg.py and draw/card_art.py: change them there. */
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
export const carBodies: Record<string, string> = {
  purple: "M20 34Q20 27 28 27H92Q100 27 100 34V55H20z",
  blue: "M20 31H28V26H92V31H100V55H20z",
  orange: "M20 29H100V55H20z",
  white: "M20 31 24 26H96L100 31V55H20z",
  green: "M20 33H44V25H70V33H100V55H20z",
  yellow: "M18 36H102L96 55H24z",
  black: "M20 31H100L92 55H72L66 44H54L48 55H28z",
  red: "M28 28H92Q102 28 102 41.5T92 55H28Q18 55 18 41.5T28 28z",
};
export const carDetails: Record<string, string> = {
  purple: "M27 33H37V42H27zM42 33H52V42H42zM57 33H67V42H57zM72 33H82V42H72zM87 33H94V42H87z",
  blue: "M26 44V38Q31 32 36 38V44zM42 44V38Q47 32 52 38V44zM68 44V38Q73 32 78 38V44zM84 44V38Q89 32 94 38V44zM57 34H63V51H57z",
  orange:
    "M48 29V55H50V29zM70 29V55H72V29zM50 41H70V43H50zM28 33V51H29.5V33zM37 33V51H38.5V33zM83 33V51H84.5V33zM92 33V51H93.5V33z",
  white: "M26 36H46V50H26zM74 36H94V50H74zM52 33V52H53.5V33zM66.5 33V52H68V33zM53.5 42H66.5V43.5H53.5z",
  green: "M26 38H38V46H26zM48 28.5H54V33H48zM60 28.5H66V33H60zM76 38H94V46H76zM48 40H66V51H48z",
  yellow:
    "M30 40 32 51H33.5L31.5 40zM44 40 45 51H46.5L45.5 40zM59 40V51H61V40zM74.5 40 73.5 51H75L76 40zM88.5 40 86.5 51H88L90 40z",
  black: "M28 35H92L91 38H29zM40 41 44 52H46L42 41zM78 41 74 52H76L80 41z",
  red: "M58 23H66V28H58zM34 28V55H36V28zM84 28V55H86V28zM36 40.5H84V42.5H36z",
};
