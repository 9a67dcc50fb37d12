/** Where we are: the path, the query and the fragment of the page, and how to go elsewhere without loading it anew. */

import { BASE, belowBase } from "./base";

class Router {
  path = $state(belowBase(location.pathname));
  query = $state(new URLSearchParams(location.search));
  fragment = $state(location.hash.slice(1));

  constructor() {
    addEventListener("popstate", () => this.read());
    addEventListener("click", (event) => this.follow(event));
  }

  private read(): void {
    this.path = belowBase(location.pathname);
    this.query = new URLSearchParams(location.search);
    this.fragment = location.hash.slice(1);
  }

  /** Go to an address of this site, as it is below its base. */
  go(address: string, replace = false): void {
    history[replace ? "replaceState" : "pushState"](null, "", BASE + address);
    this.read();
    if (!replace) scrollTo(0, 0);
  }

  /** Plain links of this site change the view, not the page. */
  private follow(event: MouseEvent): void {
    const link = (event.target as Element).closest?.("a");
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    if (
      link.origin !== location.origin ||
      !link.pathname.startsWith(BASE) ||
      link.target ||
      link.hasAttribute("download") ||
      /^\/(api|docs)\b/.test(belowBase(link.pathname))
    )
      return;
    event.preventDefault();
    this.go(belowBase(link.pathname) + link.search + link.hash);
  }
}

export const router = new Router();
