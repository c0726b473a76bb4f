import { keyAt } from "../../../../files/json-text/find-key.ts";
import { scanJson, scanSpans } from "../../../../files/json-text/scan-json.ts";
import { indexedMember, type JsonIndex, type Spans } from "../../../../files/json-text/spans.ts";
import { type Chunk, nodeOf, partKey, restKey, spacing, tailKey, toStoredKey } from "./chunk.ts";

/** The container of a slice. Members of the root are entries of `root`. */
export type Section = "root" | "hierarchy" | "journal";

/** A slice of a text. A slice has no position yet. */
export interface TextSlice {
  readonly section: Section;
  readonly key: string;
  readonly raw: string;
}

/** The lengths above which a node is split and a value in it becomes a separate chunk. */
export interface SplitSizes {
  readonly node: number;
  readonly value: number;
}

const defaultSizes: SplitSizes = { node: 2_048, value: 1_024 };
const noParts: ReadonlySet<string> = new Set();

/**
 * Splits the text of a spec at each member of its root, each node and each journal entry. The counts of a
 * node change often, and its list of children may be long. Therefore, long values in a node also become
 * chunks, as do the values in `parts`.
 */
export function splitText(
  bytes: Buffer,
  index: JsonIndex = scanJson(bytes),
  parts: ReadonlySet<string> = noParts,
  sizes: SplitSizes = defaultSizes,
): readonly TextSlice[] {
  const { root } = index;
  const slices: TextSlice[] = [];
  let offset = 0;
  const addSlice = (section: Section, key: string, end: number) => {
    slices.push({ section, key, raw: bytes.toString("utf8", offset, end) });
    offset = end;
  };
  const last = lastOfEach(bytes, root);
  for (let at = 0; at < root.count; at++) {
    const name = keyAt(bytes, root, at);
    const section = last.get(at);
    const spans = section && spansOf(section, bytes, root.valueStarts[at] as number, index);
    addSlice("root", toStoredKey(name), spans ? spans.start + 1 : (root.valueEnds[at] as number));
    if (section === undefined || spans === undefined) continue;
    for (let entry = 0; entry < spans.count; entry++) {
      const end = spans.valueEnds[entry] as number;
      let key = section === "journal" ? "" : toStoredKey(keyAt(bytes, spans, entry));
      const isSplit = section === "hierarchy" && (end - offset > sizes.node || hasPart(parts, key));
      for (const part of isSplit
        ? partsOf(bytes, spans.valueStarts[entry] as number, key, parts, sizes)
        : []) {
        addSlice(section, key, part.start);
        addSlice(section, part.key, part.end);
        key = restKey(part.key);
      }
      addSlice(section, key, end);
    }
  }
  addSlice("root", tailKey, bytes.length);
  return slices;
}

function hasPart(parts: ReadonlySet<string>, node: string): boolean {
  for (const part of parts) if (nodeOf(part) === node) return true;
  return false;
}

/**
 * Returns the values of a node that become separate chunks. If a key occurs more than once, its last value is
 * used.
 */
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

/** Assigns positions to all slices of a new text. */
export function toChunks(slices: readonly TextSlice[]): readonly Chunk[] {
  let member = 0;
  let entry = 0;
  return slices.map(({ section, key, raw }) => {
    if (section === "root") {
      member += spacing;
      entry = 0;
    } else entry += spacing;
    return { member, entry, key, raw };
  });
}

/**
 * Returns the members whose entries are also split. If a key occurs more than once, its last member is used.
 */
function lastOfEach(bytes: Buffer, root: Spans): ReadonlyMap<number, "hierarchy" | "journal"> {
  const found = new Map<string, number>();
  for (let at = 0; at < root.count; at++) {
    const key = keyAt(bytes, root, at);
    if (key === indexedMember || key === "journal") found.set(key, at);
  }
  return new Map([...found].map(([key, at]) => [at, key as "hierarchy" | "journal"]));
}

/** Returns the entries of a member; undefined if the member has another type and is not split. */
function spansOf(
  section: "hierarchy" | "journal",
  bytes: Buffer,
  start: number,
  { hierarchy }: JsonIndex,
): Spans | undefined {
  if (section === "hierarchy") return hierarchy?.kind === "object" ? hierarchy : undefined;
  return bytes[start] === 0x5b ? scanSpans(bytes, start) : undefined;
}
