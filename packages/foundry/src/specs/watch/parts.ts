import type { Colors } from "@foundry-mcp/toolkit/cli";
import type { Section } from "./fit-sections.ts";
import { type Screen, type Segment, toLabel, toRow } from "./screen.ts";
import type { LeasedTask, WatchEvent } from "./watch-state.ts";

/** Returns the hint that explains how to quit. */
export function quitHint(colors: Colors): Segment {
  return ["q quits", colors.dim];
}

/** Returns lines for the first problems, one line for each problem. */
export function problemRows(
  problems: readonly string[],
  { width, height, colors }: Screen,
): readonly string[] {
  const max = height < 10 ? 1 : 3;
  const rows = problems.slice(0, max).map((problem) => toRow([[`! ${problem}`, colors.red]], [], width));
  if (problems.length > max)
    rows.push(toRow([[`! and ${problems.length - max} more`, colors.red]], [], width));
  return rows;
}

/** Returns the holder of a lease and the remaining time of the lease. */
export function leaseSegment({ holder, until }: LeasedTask, width: number, now: string): readonly Segment[] {
  const time = toTimeLeft(until, now);
  if (width < 40 && time !== "") return [time];
  const left = time === "" ? "" : `, ${time} left`;
  // The name of the holder is truncated so that the remaining time fits.
  return [`${toLabel(holder, Math.floor(width / 2) - left.length)}${left}`];
}

/** Returns the section with the events since the view was opened. */
export function eventsSection(
  events: readonly WatchEvent[],
  { width, colors, timeZone }: Screen,
  now: string,
  { rank, withSpec }: { readonly rank: number; readonly withSpec: boolean },
): Section {
  return {
    size: events.length,
    rank,
    weight: 2,
    heading: () => toRow([["Last changes", colors.bold]], [], width),
    row: (index) => {
      const { at, specId, text } = events[index] as WatchEvent;
      // The id of the spec is truncated so that the event fits.
      const spec = withSpec ? `${toLabel(specId, Math.floor(width / 3))}  ` : "";
      return toRow(
        ["  ", [toWhen(at, now, width < 40, timeZone), colors.dim], `  ${spec}${text}`],
        [],
        width,
      );
    },
  };
}

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/**
 * Formats a time of today as a time of day, and any other time as a date. Both forms have the same width. The
 * short form has neither a year nor seconds.
 */
export function toWhen(iso: string, now: string, isShort: boolean, timeZone?: string): string {
  const [day = "", time] = partsOf(iso, timeZone);
  const isToday = day === partsOf(now, timeZone)[0];
  if (time === undefined) return isShort ? "     " : "          ";
  if (isShort) return isToday ? time.slice(0, 5) : day.slice(5);
  return (isToday ? time : day).padEnd(10);
}

/**
 * Formats the remaining time in minutes, or in seconds near the end. The result is empty for an invalid time.
 */
export function toTimeLeft(until: string, now: string): string {
  const seconds = Math.ceil((Date.parse(until) - Date.parse(now)) / 1_000);
  if (Number.isNaN(seconds)) return "";
  return seconds > 90 ? `${Math.ceil(seconds / 60)} min` : `${Math.max(0, seconds)} s`;
}

function partsOf(iso: string, timeZone: string | undefined): readonly string[] {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return [];
  // The Swedish locale formats dates like ISO 8601.
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone });
  formats.set(timeZone, format);
  return format.format(time).split(" ");
}
