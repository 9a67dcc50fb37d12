/** Where we are: the path, the query and the fragment of the page, and how to go elsewhere without loading it anew. */

class Router {
  path = $state(location.pathname);
  query = $state(new URLSearchParams(location.search));
  fragment = $state(location.hash.slice(1));

  constructor() {
    addEventListener("popstate", () => this.read());
    addEventListener("click", (event) => this.follow(event));
  }

  private read(): void {
    this.path = location.pathname;
    this.query = new URLSearchParams(location.search);
    this.fragment = location.hash.slice(1);
  }

  /** Go to an address of this site. */
  go(address: string, replace = false): void {
    history[replace ? "replaceState" : "pushState"](null, "", address);
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
      link.target ||
      link.hasAttribute("download") ||
      /^\/(api|docs)\b/.test(link.pathname)
    )
      return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();
