const strict = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const lenient =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;

/** True for a timestamp of the form that spec files use: ISO 8601 with a zone. */
export function isTimestamp(value: unknown): value is string {
  return typeof value === "string" && strict.test(value) && !Number.isNaN(Date.parse(value));
}

/** Converts a value to a timestamp in UTC; undefined if it is not a time. A time without a zone is UTC. */
export function toTimestamp(value: unknown): string | undefined {
  if (typeof value === "number") return fromNumber(value);
  if (typeof value !== "string") return undefined;
  const parts = lenient.exec(value.trim());
  if (parts === null) return undefined;
  const [, year, month, day, hour = "0", minute = "00", second = "00", fraction = "", zone = "Z"] = parts;
  const date = `${year}-${two(month)}-${two(day)}`;
  // The Date constructor would turn February 30 into a day of March.
  if (new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) !== true) return undefined;
  const time = `${date}T${two(hour)}:${minute}:${second}`;
  if (!/^[+-]/.test(zone)) return isTimestamp(`${time}Z`) ? `${time}${fraction}Z` : undefined;
  const shifted = Date.parse(`${time}${zone.slice(0, 3)}:${zone.slice(-2)}`);
  return Number.isNaN(shifted) ? undefined : inUtc(new Date(shifted), fraction);
}

function two(digits = ""): string {
  return digits.padStart(2, "0");
}

/** Converts Unix time in seconds or milliseconds. */
function fromNumber(value: number): string | undefined {
  const date = new Date(Math.abs(value) < 1e11 ? value * 1000 : value);
  return value > 0 && !Number.isNaN(date.getTime()) ? inUtc(date, "") : undefined;
}

function inUtc(date: Date, fraction: string): string | undefined {
  const text = date.toISOString().replace(/\.\d+Z$/, `${fraction}Z`);
  // Years beyond 9999 have another format.
  return isTimestamp(text) ? text : undefined;
}
