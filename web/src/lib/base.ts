/** Where this site begins: nothing at the root of a host, `/games` below that path. The server writes it into the page. */
export const BASE: string = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base"]')?.content ?? "";

/** A path of the page, as it is below the base. */
export const belowBase = (path: string): string =>
  BASE && (path === BASE || path.startsWith(`${BASE}/`)) ? path.slice(BASE.length) || "/" : path;
