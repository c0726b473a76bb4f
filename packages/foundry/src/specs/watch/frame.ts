import { toListFrame } from "./list-frame.ts";
import type { Screen } from "./screen.ts";
import { toSpecFrame } from "./spec-frame.ts";
import type { WatchState } from "./watch-state.ts";

/** The lines of a live view: never more nor wider than the screen, and nothing in them that a terminal acts upon but colours. */
export function toFrame(state: WatchState, screen: Screen, now: string): readonly string[] {
  const room = { ...screen, width: Math.max(1, screen.width), height: Math.max(1, screen.height) };
  return state.spec === undefined ? toListFrame(state, room, now) : toSpecFrame(state.spec, state, room, now);
}
