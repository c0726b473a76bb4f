import type { Colors } from "@foundry-mcp/toolkit/cli";
import type { Section } from "./fit-sections.ts";
import { type Piece, type Screen, toLabel, toRow } from "./screen.ts";
import type { HeldTask, WatchEvent } from "./watch-state.ts";

/** How one leaves. */
export function quits(colors: Colors): Piece {
  return ["q quits", colors.dim];
}

/** What cannot be read, a line each: few, for there is more to see. */
export function problemRows(
  problems: readonly string[],
  { width, height, colors }: Screen,
): readonly string[] {
  const most = height < 10 ? 1 : 3;
  const rows = problems.slice(0, most).map((problem) => toRow([[`! ${problem}`, colors.red]], [], width));
  if (problems.length > most)
    rows.push(toRow([[`! and ${problems.length - most} more`, colors.red]], [], width));
  return rows;
}

/** Who holds a task, and for how long. */
export function heldPiece({ holder, until }: HeldTask, width: number, now: string): readonly Piece[] {
  const time = toTimeLeft(until, now);
  if (width < 40 && time !== "") return [time];
  const left = time === "" ? "" : `, ${time} left`;
  // The name gives way to the time.
  return [`${toLabel(holder, Math.floor(width / 2) - left.length)}${left}`];
}

/** The part with what has happened while somebody watched. */
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
      // Where there is little room, what happened is more than the end of a name.
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

/** A moment in the time of day where it was today, else as a date; both of one width, the short one without year and seconds. */
export function toWhen(iso: string, now: string, isShort: boolean, timeZone?: string): string {
  const [day = "", time] = partsOf(iso, timeZone);
  const isToday = day === partsOf(now, timeZone)[0];
  if (time === undefined) return isShort ? "     " : "          ";
  if (isShort) return isToday ? time.slice(0, 5) : day.slice(5);
  return (isToday ? time : day).padEnd(10);
}

/** How long it is until then: minutes, at the end seconds; empty where it is no time. */
export function toTimeLeft(until: string, now: string): string {
  const seconds = Math.ceil((Date.parse(until) - Date.parse(now)) / 1_000);
  if (Number.isNaN(seconds)) return "";
  return seconds > 90 ? `${Math.ceil(seconds / 60)} min` : `${Math.max(0, seconds)} s`;
}

function partsOf(iso: string, timeZone: string | undefined): readonly string[] {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return [];
  // Swedish writes dates as ISO 8601 does.
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone });
  formats.set(timeZone, format);
  return format.format(time).split(" ");
}
