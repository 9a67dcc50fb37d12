/** Which finished tables this browser has told about already. */

const STORE = "whistlestop.told";
const MOST = 60;

/** Whether the story of a table was told here before; from now on it was. */
export function toldBefore(table: string): boolean {
  try {
    const told = JSON.parse(localStorage.getItem(STORE) ?? "[]") as string[];
    if (told.includes(table)) return true;
    localStorage.setItem(STORE, JSON.stringify([table, ...told].slice(0, MOST)));
  } catch {
    // nothing can be kept: the story is told once more
  }
  return false;
}
