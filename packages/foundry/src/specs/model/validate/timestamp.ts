const strict = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const lenient =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;

/** True for a timestamp in the form that spec files use, which is ISO 8601 with a time zone. */
export function isTimestamp(value: unknown): value is string {
  return typeof value === "string" && strict.test(value) && !Number.isNaN(Date.parse(value));
}

/**
 * Converts a value to a timestamp in UTC; undefined if the value is not a time. A time without a time zone is
 * read as UTC.
 */
export function toTimestamp(value: unknown): string | undefined {
  if (typeof value === "number") return fromNumber(value);
  if (typeof value !== "string") return undefined;
  const parts = lenient.exec(value.trim());
  if (parts === null) return undefined;
  const [, year, month, day, hour = "0", minute = "00", second = "00", fraction = "", zone = "Z"] = parts;
  const date = `${year}-${two(month)}-${two(day)}`;
  // The Date constructor would convert February 30 to a day in March.
  if (new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) !== true) return undefined;
  const time = `${date}T${two(hour)}:${minute}:${second}`;
  if (!/^[+-]/.test(zone)) return isTimestamp(`${time}Z`) ? `${time}${fraction}Z` : undefined;
  const shifted = Date.parse(`${time}${zone.slice(0, 3)}:${zone.slice(-2)}`);
  return Number.isNaN(shifted) ? undefined : inUtc(new Date(shifted), fraction);
}

function two(digits = ""): string {
  return digits.padStart(2, "0");
}

/** Converts a Unix time in seconds or milliseconds to a timestamp. */
function fromNumber(value: number): string | undefined {
  const date = new Date(Math.abs(value) < 1e11 ? value * 1000 : value);
  return value > 0 && !Number.isNaN(date.getTime()) ? inUtc(date, "") : undefined;
}

function inUtc(date: Date, fraction: string): string | undefined {
  const text = date.toISOString().replace(/\.\d+Z$/, `${fraction}Z`);
  // A year after 9999 has another format, which spec files do not use.
  return isTimestamp(text) ? text : undefined;
}
