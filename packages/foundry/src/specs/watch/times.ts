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
