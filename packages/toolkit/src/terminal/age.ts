import type { Canvas } from "../define/action.ts";

const units = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["week", 7 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Returns the age of a time, such as "2 hours ago"; empty for a text that is not a time. */
export function age(iso: string, { now }: Canvas): string {
  const seconds = secondsBetween(iso, now);
  if (Number.isNaN(seconds)) return "";
  return seconds < 60 ? "just now" : `${toSpan(seconds)} ago`;
}

/** Returns the time until a moment, such as "for 15 minutes"; empty for a text that is not a time. */
export function timeLeft(iso: string, { now }: Canvas): string {
  const seconds = -secondsBetween(iso, now);
  if (Number.isNaN(seconds)) return "";
  return seconds <= 0 ? "expired" : `for ${toSpan(Math.max(60, seconds))}`;
}

function secondsBetween(iso: string, now: string | undefined): number {
  const from = Date.parse(iso);
  return Math.round(((now === undefined ? Date.now() : Date.parse(now)) - from) / 1_000);
}

function toSpan(seconds: number): string {
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? ["minute", 60];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
