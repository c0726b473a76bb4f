/** The hours from one time to another, two decimals; undefined where either is no time. */
export function hoursBetween(from: unknown, to: string): number | undefined {
  if (typeof from !== "string") return undefined;
  const hours = (toTime(to) - toTime(from)) / 3_600_000;
  return Number.isFinite(hours) ? Math.max(0, Math.round(hours * 100) / 100) : undefined;
}

/** A time without a zone is one in UTC, as files mean it, not one of the zone of this machine. */
function toTime(text: string): number {
  const hasZone = /(z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes("T");
  return Date.parse(hasZone ? text : `${text}Z`);
}
