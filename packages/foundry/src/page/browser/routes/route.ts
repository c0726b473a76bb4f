/** The parts of a spec's page. */
export const specTabs = ["board", "tree", "graph", "history", "stats"] as const;
export type SpecTab = (typeof specTabs)[number];

/** A place on the page. A route is the part of the address behind the #, which the browser never sends. */
export type Route =
  | { readonly name: "specs" | "now" | "gateway" | "contract" | "search"; readonly query: Query }
  | { readonly name: "spec"; readonly specId: string; readonly tab: SpecTab; readonly query: Query }
  | { readonly name: "unknown"; readonly path: string; readonly query: Query };

/** The parameters of a route, such as the filters and the open task. */
export type Query = Readonly<Record<string, string>>;

const plainNames = ["specs", "now", "gateway", "contract", "search"] as const;

/** Reads a route from the part of an address behind the #. */
export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = splitOnce(hash.replace(/^#/, ""), "?");
  const query: Query = Object.fromEntries(new URLSearchParams(search));
  const parts = path.split("/").filter((part) => part !== "");
  const [first = "specs", id, tab] = parts;
  if (first === "specs" && id !== undefined) {
    const specId = decode(id);
    const known = specTabs.find((each) => each === (tab ?? "board"));
    if (specId !== undefined && known !== undefined && parts.length <= 3)
      return { name: "spec", specId, tab: known, query };
    return { name: "unknown", path, query };
  }
  const name = plainNames.find((each) => each === first);
  return name !== undefined && parts.length <= 1 ? { name, query } : { name: "unknown", path, query };
}

/** Returns the address of a route. */
export function toHash(route: Route): string {
  const path =
    route.name === "spec"
      ? `/specs/${encodeURIComponent(route.specId)}/${route.tab}`
      : route.name === "unknown"
        ? route.path
        : route.name === "specs"
          ? "/"
          : `/${route.name}`;
  const given = Object.entries(route.query).filter(([, value]) => value !== "");
  const search = new URLSearchParams(given).toString();
  return `#${path}${search === "" ? "" : `?${search}`}`;
}

/** Returns the address of a spec, or of a task in it. */
export function specHash(specId: string, tab: SpecTab = "board", query: Query = {}): string {
  return toHash({ name: "spec", specId, tab, query });
}

function splitOnce(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator);
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

/** An address may contain any text, also one that is not encoded correctly. */
function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
