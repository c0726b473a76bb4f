import { createStore } from "../state/store.ts";
import { parseRoute, type Query, type Route, toHash } from "./route.ts";

/** The route of the address. */
export const currentRoute = createStore<Route>(parseRoute(location.hash));
addEventListener("hashchange", () => currentRoute.set(parseRoute(location.hash)));

/** Goes to another place. */
export function go(hash: string): void {
  location.hash = hash;
}

/**
 * Changes parameters of the current route; an empty text removes one. `replace` makes no new entry in the browser's
 * history, which is right for every letter that is typed into a filter.
 */
export function setQuery(change: Query, mode: "push" | "replace" = "push"): void {
  const route = currentRoute.get();
  const next = toHash({ ...route, query: { ...route.query, ...change } });
  if (mode === "push") {
    location.hash = next;
    return;
  }
  history.replaceState(null, "", next);
  currentRoute.set(parseRoute(location.hash));
}
