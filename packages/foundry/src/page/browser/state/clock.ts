import { createStore } from "./store.ts";

/**
 * The time that the page uses, updated every 15 seconds. A coarser update would be enough for texts such as "5 min
 * ago", but not for the remaining time of a lease.
 */
export const clock = createStore(Date.now());
setInterval(() => clock.set(Date.now()), 15_000);

const units: readonly (readonly [name: string, seconds: number])[] = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
];

/** Returns how long ago a time was, such as "5 min ago". */
export function timeAgo(at: string, now: number): string {
  const seconds = Math.round((now - Date.parse(at)) / 1_000);
  if (Number.isNaN(seconds)) return "";
  if (seconds < 60) return "just now";
  if (seconds > 60 * 86_400) return at.slice(0, 10);
  return `${inUnits(seconds)} ago`;
}

/** Returns how much time is left until a time, such as "12 min left". */
export function timeLeft(until: string, now: number): string {
  const seconds = Math.round((Date.parse(until) - now) / 1_000);
  if (Number.isNaN(seconds)) return "";
  if (seconds <= 0) return "expired";
  return seconds < 60 ? "under a minute left" : `${inUnits(seconds)} left`;
}

function inUnits(seconds: number): string {
  const [name, size] = units.find(([, each]) => seconds >= each) ?? ["s", 1];
  return `${Math.floor(seconds / size)} ${name}`;
}
