import type { UntrustedSchema } from "../schemas/json-schema.ts";
import { fromPattern } from "./from-pattern.ts";

const longestText = 100_000;

const formats: Readonly<Record<string, string>> = {
  date: "2026-01-01",
  "date-time": "2026-01-01T00:00:00Z",
  time: "12:00:00Z",
  duration: "P1D",
  uri: "https://example.com/",
  url: "https://example.com/",
  iri: "https://example.com/",
  "uri-reference": "/",
  "uri-template": "/{id}",
  email: "someone@example.com",
  "idn-email": "someone@example.com",
  hostname: "example.com",
  "idn-hostname": "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "00000000-0000-4000-8000-000000000000",
  "json-pointer": "/a",
  regex: "^a",
  byte: "dGVzdA==",
};

/** What a plain text may be, the most harmless first. */
const plainTexts = ["test", "a", "1"];
/** What a pattern may stand for that is too hard to read. */
const likelyTexts = [
  "A",
  "test-1",
  "test_1",
  "1.0.0",
  "v1",
  "a/b",
  "/a",
  "a.b",
  "#000000",
  "en",
  "en-US",
  "00",
];

/** Texts that may fit a schema of texts, the likeliest first. */
export function makeTexts(schema: UntrustedSchema): readonly string[] {
  const { format, pattern, minLength, maxLength, contentMediaType } = schema;
  const least = typeof minLength === "number" ? minLength : 0;
  const most = typeof maxLength === "number" ? maxLength : longestText;
  if (least > longestText) return [];
  const known = typeof format === "string" && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (typeof pattern === "string") {
    const repeats = [0, 1, 2, least, 7];
    const made = repeats.map((extra) => fromPattern(pattern, extra)).filter((text) => text !== undefined);
    const likely = [...plainTexts, ...Object.values(formats), ...likelyTexts];
    return [...(known === undefined ? [] : [known]), ...made, ...likely];
  }
  if (known !== undefined) return [known, toLength(known, least, most, format === "email")];
  const texts = contentMediaType === "application/json" ? ["{}", ...plainTexts] : plainTexts;
  return texts.map((text) => toLength(text, least, most, false));
}

function toLength(text: string, least: number, most: number, isPaddedInFront: boolean): string {
  const padding = "a".repeat(Math.max(0, Math.ceil(least) - text.length));
  return (isPaddedInFront ? padding + text : text + padding).slice(0, Math.max(0, most));
}

/** Numbers that may fit a schema of numbers, the most harmless first. */
export function makeNumbers(schema: UntrustedSchema, isWhole: boolean): readonly number[] {
  const factor = toNumber(schema["multipleOf"]);
  const step = factor !== undefined && factor > 0 ? factor : 1;
  const low = toNumber(schema["minimum"]);
  const above = toNumber(schema["exclusiveMinimum"]);
  const high = toNumber(schema["maximum"]);
  const below = toNumber(schema["exclusiveMaximum"]);
  const ends = [low, above, high, below].filter((end) => end !== undefined);
  const grid = ends.flatMap((end) => {
    const near = Math.round(end / step) * step;
    return [end, near, near + step, near - step, Math.ceil(end), Math.floor(end)];
  });
  const [bottom, top] = [low ?? above, high ?? below];
  const middle = bottom !== undefined && top !== undefined ? [(bottom + top) / 2] : [];
  const likely = [1, step, 0, ...grid, ...middle, ...ends.flatMap((end) => [end + 1, end - 1])];
  const fits = (value: number) =>
    Number.isFinite(value) &&
    (!isWhole || Number.isInteger(value)) &&
    (low === undefined || value >= low) &&
    (above === undefined || value > above) &&
    (high === undefined || value <= high) &&
    (below === undefined || value < below);
  // JSON knows one zero.
  return likely.filter(fits).map((value) => (value === 0 ? 0 : value));
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
