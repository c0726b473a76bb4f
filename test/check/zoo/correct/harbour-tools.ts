import { z } from "zod";

const harbours = [
  ["TO", "Þórshöfn", 62.01],
  ["NU", "Nuuk ❄️", 64.18],
  ["GD", "Gdańsk", 54.35],
  ["SP", "Санкт-Петербург", 59.93],
  ["YO", "横浜港", 35.45],
  ["AL", "الإسكندرية", 31.2],
  ["HF", "חיפה", 32.81],
  ["PI", "Πειραιάς", 37.94],
  ["VA", "Valparaíso 🚢👩‍✈️", -33.04],
].map(([id, name, latitude]) => ({ harbour_id: `hbr:${id}`, name, latitude }));

const flags = ["Alfa", "Bravo", "Charlie", "Delta", "Écho", "Foxtrot", "Golf"];

interface HarbourFailure {
  readonly failure: object;
  readonly message: string;
}

interface HarbourTool {
  readonly description: string;
  readonly input: z.ZodObject;
  run(args: never): { readonly data: object; readonly meta?: object } | HarbourFailure;
}

const paging = {
  limit: z.int().min(1).max(50).default(4).describe("Zeilen je Seite"),
  cursor: z.string().optional().describe("Cursor der Seite davor"),
};

interface PageArguments {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Returns a page by offset. An offset is the documented older form of a cursor. */
function toPage(rows: readonly unknown[], under: string, { limit, cursor }: PageArguments) {
  const offset = cursor === undefined ? 0 : readOffset(cursor);
  if (offset === undefined || offset >= rows.length) {
    const details = { field: "cursor", constraint: "usable" };
    const remediation = "Lass cursor weg und beginne von vorn.";
    const failure = { error_code: "INVALID_CURSOR", error_type: "validation", remediation, details };
    return { failure, message: "cursor: not a place in this list" };
  }
  const page = rows.slice(offset, offset + limit);
  const next = offset + page.length;
  const has_more = next < rows.length;
  const pagination = {
    cursor: has_more ? Buffer.from(JSON.stringify({ offset: next })).toString("base64url") : null,
    has_more,
    total_count: rows.length,
    page_size: page.length,
  };
  return { data: { [under]: page }, meta: { pagination } };
}

function readOffset(cursor: string): number | undefined {
  const text = Buffer.from(cursor, "base64url").toString();
  // Base64 decoding is lenient, so a text is not a cursor if it changes when it is decoded and encoded again.
  const offset = /^\{"offset":([1-9]\d{0,5})\}$/.exec(text)?.[1];
  return offset === undefined || Buffer.from(text).toString("base64url") !== cursor
    ? undefined
    : Number(offset);
}

const stale = "Die Breiten sind drei Stunden alt 🕒";

function getHarbour(id: string): ReturnType<HarbourTool["run"]> {
  const harbour = harbours.find(({ harbour_id }) => harbour_id === id);
  if (harbour === undefined) {
    const remediation = "Sieh mit harbours nach, welche es gibt.";
    const details = { resource_type: "harbour", resource_id: id.slice(0, 100) };
    const failure = { error_code: "HARBOUR_UNKNOWN", error_type: "not_found", remediation, details };
    return { failure, message: "Diesen Hafen kennt niemand" };
  }
  const detail = {
    code: "STALE_CACHE",
    severity: "warning",
    message: stale,
    context: { age_seconds: 10_800 },
  };
  return { data: { harbour }, meta: { warnings: [stale], warning_details: [detail] } };
}

/** The tools of the server: two lists, one of which contains only texts, a look-up, and a tool without arguments. */
export const harbourTools: ReadonlyMap<string, HarbourTool> = new Map<string, HarbourTool>([
  [
    "harbours",
    {
      description: "Häfen, Seite für Seite.",
      input: z.strictObject(paging),
      run: (args: PageArguments) => toPage(harbours, "harbours", args),
    },
  ],
  [
    "harbour",
    {
      description: "Ein Hafen, nach seiner Kennung.",
      input: z.strictObject({ harbour_id: z.string().describe("Kennung, wie harbours sie nennt") }),
      run: ({ harbour_id }: { harbour_id: string }) => getHarbour(harbour_id),
    },
  ],
  [
    "flags",
    {
      description: "Die Namen der Signalflaggen.",
      input: z.strictObject(paging),
      run: (args: PageArguments) => toPage(flags, "flags", args),
    },
  ],
  [
    "motto",
    {
      description: "Der Wahlspruch. Nimmt nichts.",
      input: z.strictObject({}),
      run: () => ({ data: { motto: "Navigare necesse est ⛵", lines: [] } }),
    },
  ],
]);
