/** What this browser's owner has understood, so that no game explains it again. */

const STORE = "whistlestop.understood";
/** Stands for everything: whoever wants no explanations. */
const EVERYTHING = "*";

function kept(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORE) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
  } catch {
    return []; // a browser that keeps nothing, or something else under our name
  }
}

let understood = $state.raw(kept());

function keep(names: string[]): void {
  understood = names;
  try {
    localStorage.setItem(STORE, JSON.stringify(names));
  } catch {
    // private windows may refuse: it then holds until the page is closed
  }
}

export const isUnderstood = (name: string): boolean => understood.includes(EVERYTHING) || understood.includes(name);

export function learn(name: string): void {
  if (!isUnderstood(name)) keep([...understood, name]);
}

/** Whether games explain what is new. */
export const explains = (): boolean => !understood.includes(EVERYTHING);

/** Explain everything again from the beginning, or nothing any more. */
export const explainAgain = (wanted: boolean): void => keep(wanted ? [] : [EVERYTHING]);
