import { keyAt } from "../../../../files/json-text/find-key.ts";
import { scanJson, scanSpans } from "../../../../files/json-text/scan-json.ts";
import { indexedMember, type JsonIndex, type Spans } from "../../../../files/json-text/spans.ts";
import { type Chunk, nodeOf, partKey, restKey, spacing, tailKey, toStoredKey } from "./chunk.ts";

/** What a stretch is an entry of; the root's own members are entries of `root`. */
export type Section = "root" | "hierarchy" | "journal";

/** A stretch of a text that has no place yet. */
export interface TextSlice {
  readonly section: Section;
  readonly key: string;
  readonly raw: string;
}

/** From which length on nodes are cut, and values in them are chunks of their own. */
export interface SplitSizes {
  readonly node: number;
  readonly value: number;
}

const usualSizes: SplitSizes = { node: 2_048, value: 1_024 };
const noParts: ReadonlySet<string> = new Set();

/**
 * Cuts the text of a spec before each member of its root, each node and each entry of its journal. The counts of a node
 * change often, and its list of children may be long: so long values in a node are chunks too, as are those that
 * `parts` names by their keys.
 */
export function splitText(
  bytes: Buffer,
  index: JsonIndex = scanJson(bytes),
  parts: ReadonlySet<string> = noParts,
  sizes: SplitSizes = usualSizes,
): readonly TextSlice[] {
  const { root } = index;
  const cuts: TextSlice[] = [];
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
      const end = spans.valueEnds[entry] as number;
      let key = section === "journal" ? "" : toStoredKey(keyAt(bytes, spans, entry));
      const isCut = section === "hierarchy" && (end - passed > sizes.node || isParted(parts, key));
      for (const part of isCut ? partsOf(bytes, spans.valueStarts[entry] as number, key, parts, sizes) : []) {
        cut(section, key, part.start);
        cut(section, part.key, part.end);
        key = restKey(part.key);
      }
      cut(section, key, end);
    }
  }
  cut("root", tailKey, bytes.length);
  return cuts;
}

function isParted(parts: ReadonlySet<string>, node: string): boolean {
  for (const part of parts) if (nodeOf(part) === node) return true;
  return false;
}

/** The values of a node that are chunks of their own; of a name that it has twice the last. */
function partsOf(
  bytes: Buffer,
  start: number,
  node: string,
  parts: ReadonlySet<string>,
  { value }: SplitSizes,
): readonly { readonly key: string; readonly start: number; readonly end: number }[] {
  if (bytes[start] !== 0x7b) return [];
  const spans = scanSpans(bytes, start);
  const found = new Map<string, { readonly key: string; readonly start: number; readonly end: number }>();
  for (let at = 0; at < spans.count; at++) {
    const key = partKey(node, keyAt(bytes, spans, at));
    const [from, end] = [spans.valueStarts[at] as number, spans.valueEnds[at] as number];
    found.delete(key);
    if (end - from > value || parts.has(key)) found.set(key, { key, start: from, end });
  }
  return [...found.values()];
}

/** Gives places to all cuts of a text. */
export function toChunks(cuts: readonly TextSlice[]): readonly Chunk[] {
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
