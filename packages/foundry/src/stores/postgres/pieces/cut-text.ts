import { keyAt } from "../../json-text/find-key.ts";
import { scanJson, scanSpans } from "../../json-text/scan-json.ts";
import { indexedMember, type JsonIndex, type Spans } from "../../json-text/spans.ts";
import { type Piece, spacing, tailKey, toStoredKey } from "./piece.ts";

/** What a stretch is an entry of; the root's own members are entries of `root`. */
export type Section = "root" | "hierarchy" | "journal";

/** A stretch of a text that has no place yet. */
export interface Cut {
  readonly section: Section;
  readonly key: string;
  readonly raw: string;
}

/** Cuts the text of a spec before each member of its root, each node and each entry of its journal. */
export function cutText(bytes: Buffer, index: JsonIndex = scanJson(bytes)): readonly Cut[] {
  const { root } = index;
  const cuts: Cut[] = [];
  let passed = 0;
  const cut = (section: Section, key: string, end: number) => {
    cuts.push({ section, key, raw: bytes.toString("utf8", passed, end) });
    passed = end;
  };
  const last = lastOfEach(bytes, root);
  for (let at = 0; at < root.count; at++) {
    const name = keyAt(bytes, root, at);
    const section = last.get(at);
    const spans = section && spansOf(section, bytes, root.valueStarts[at] as number, index);
    cut("root", toStoredKey(name), spans ? spans.start + 1 : (root.valueEnds[at] as number));
    if (section === undefined || spans === undefined) continue;
    for (let entry = 0; entry < spans.count; entry++) {
      const key = section === "journal" ? "" : toStoredKey(keyAt(bytes, spans, entry));
      cut(section, key, spans.valueEnds[entry] as number);
    }
  }
  cut("root", tailKey, bytes.length);
  return cuts;
}

/** Gives places to all cuts of a text. */
export function toPieces(cuts: readonly Cut[]): readonly Piece[] {
  let member = 0;
  let entry = 0;
  return cuts.map(({ section, key, raw }) => {
    if (section === "root") {
      member += spacing;
      entry = 0;
    } else entry += spacing;
    return { member, entry, key, raw };
  });
}

/** The members whose entries are cut too: of several with the same name the last, which counts. */
function lastOfEach(bytes: Buffer, root: Spans): ReadonlyMap<number, "hierarchy" | "journal"> {
  const found = new Map<string, number>();
  for (let at = 0; at < root.count; at++) {
    const key = keyAt(bytes, root, at);
    if (key === indexedMember || key === "journal") found.set(key, at);
  }
  return new Map([...found].map(([key, at]) => [at, key as "hierarchy" | "journal"]));
}

/** The entries of a member; undefined where it is not what it should be, and stays whole. */
function spansOf(
  section: "hierarchy" | "journal",
  bytes: Buffer,
  start: number,
  { hierarchy }: JsonIndex,
): Spans | undefined {
  if (section === "hierarchy") return hierarchy?.kind === "object" ? hierarchy : undefined;
  return bytes[start] === 0x5b ? scanSpans(bytes, start) : undefined;
}
