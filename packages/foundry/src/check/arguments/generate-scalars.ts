import type { UntrustedSchema } from "../schemas/json-schema.ts";
import { fromPattern } from "./from-pattern.ts";

const maxTextLength = 100_000;

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

/** Texts to try if the schema has no format or pattern, the most harmless first. */
const plainTexts = ["test", "a", "1"];
/** Texts to try for a regular expression that the text generator does not support. */
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

/** Generates texts that may fit a schema, the likeliest first. */
export function generateTexts(schema: UntrustedSchema): readonly string[] {
  const { format, pattern, minLength, maxLength, contentMediaType } = schema;
  const min = typeof minLength === "number" ? minLength : 0;
  const max = typeof maxLength === "number" ? maxLength : maxTextLength;
  if (min > maxTextLength) return [];
  const known = typeof format === "string" && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (typeof pattern === "string") {
    const repeats = [0, 1, 2, min, 7];
    const generated = repeats
      .map((extra) => fromPattern(pattern, extra))
      .filter((text) => text !== undefined);
    const likely = [...plainTexts, ...Object.values(formats), ...likelyTexts];
    return [...(known === undefined ? [] : [known]), ...generated, ...likely];
  }
  if (known !== undefined) return [known, toLength(known, min, max, format === "email")];
  const texts = contentMediaType === "application/json" ? ["{}", ...plainTexts] : plainTexts;
  return texts.map((text) => toLength(text, min, max, false));
}

function toLength(text: string, min: number, max: number, isPaddedInFront: boolean): string {
  const padding = "a".repeat(Math.max(0, Math.ceil(min) - text.length));
  return (isPaddedInFront ? padding + text : text + padding).slice(0, Math.max(0, max));
}

/** Generates numbers that may fit a schema, the most harmless first. */
export function generateNumbers(schema: UntrustedSchema, isInteger: boolean): readonly number[] {
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
    (!isInteger || Number.isInteger(value)) &&
    (low === undefined || value >= low) &&
    (above === undefined || value > above) &&
    (high === undefined || value <= high) &&
    (below === undefined || value < below);
  // `JSON.stringify` writes -0 as 0, so -0 is replaced by 0.
  return likely.filter(fits).map((value) => (value === 0 ? 0 : value));
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
