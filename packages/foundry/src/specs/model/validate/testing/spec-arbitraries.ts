import fc from "fast-check";
import { applyEdits, type Edit } from "../../../../files/json-text/edit.ts";
import type { SpecDocument } from "../../spec-document.ts";
import { SpecModel } from "../../spec-model.ts";

type Node = Record<string, unknown> & { children: string[] };

const types = ["phase", "group", "task", "subtask", "verify", "research"] as const;
const statuses = ["pending", "in_progress", "completed", "blocked"] as const;

/** The seed of each node: the index of its parent, the indexes of its blockers, and its type. */
const seeds = fc.array(
  fc.record({
    above: fc.nat(),
    blocker: fc.option(fc.nat(), { nil: undefined }),
    type: fc.constantFrom(...types),
    status: fc.constantFrom(...statuses),
  }),
  { maxLength: 12 },
);

/** Generates specs that are valid, except that they may violate authoring rules. */
export const validSpecs: fc.Arbitrary<SpecDocument> = seeds.map((nodes) => {
  const hierarchy: Record<string, Node> = { "spec-root": toNode("spec", null, "pending") };
  const ids = ["spec-root"];
  for (const [index, { above, blocker, type, status }] of nodes.entries()) {
    const parent = ids[above % ids.length] as string;
    const id = `${type}-${index + 1}`;
    hierarchy[id] = toNode(type, parent, status);
    hierarchy[parent]?.children.push(id);
    ids.push(id);
    if (blocker !== undefined) hierarchy[id]["wish"] = blocker;
  }
  // Only leaves wait, and they wait only for earlier leaves, so that the dependencies contain no cycle.
  const leaves = ids.filter((id) => id !== "spec-root" && hierarchy[id]?.children.length === 0);
  for (const [index, id] of leaves.entries()) {
    const wish = hierarchy[id]?.["wish"];
    const other = typeof wish === "number" && index > 0 ? leaves[wish % index] : undefined;
    if (other !== undefined) link(hierarchy, id, other);
  }
  for (const node of Object.values(hierarchy)) delete node["wish"];
  return recount({
    spec_id: "random-2026-01-01-001",
    generated: "2026-01-01T00:00:00Z",
    last_updated: "2026-01-02T10:20:30.123456Z",
    metadata: { mission: "Anything" },
    hierarchy,
    journal: [],
  });
});

function toNode(type: string, parent: string | null, status: string): Node {
  const metadata = type === "verify" ? { verification_type: "manual" } : {};
  return {
    type,
    title: "A title",
    status,
    parent,
    children: [],
    total_tasks: 0,
    completed_tasks: 0,
    metadata,
  };
}

function link(hierarchy: Record<string, Node>, id: string, blocker: string): void {
  const lists = (node: Node) => {
    node["dependencies"] ??= { blocked_by: [], blocks: [], depends: [] };
    return node["dependencies"] as Record<"blocked_by" | "blocks", string[]>;
  };
  lists(hierarchy[id] as Node).blocked_by.push(blocker);
  lists(hierarchy[blocker] as Node).blocks.push(id);
}

function recount(document: SpecDocument): SpecDocument {
  const model = new SpecModel(document);
  const edits = model.ids.flatMap((id): Edit[] => [
    { op: "set", path: ["hierarchy", id, "total_tasks"], value: model.tally(id).total },
    { op: "set", path: ["hierarchy", id, "completed_tasks"], value: model.tally(id).completed },
  ]);
  return applyEdits(document, edits);
}

const fields = [
  ...["type", "title", "status", "parent", "children", "total_tasks", "completed_tasks", "metadata"],
  "dependencies",
];
const words = [
  ...["", "todo", "done", "verification", "sub_task", "archived", "auto", "tests", "high", "implementation"],
  ...["2026-1-2", "2026-01-02 03:04", "yesterday", "spec-root", "ghost", "__proto__"],
];

/** The ways in which a valid spec is made invalid. */
const blows = fc.oneof(
  fc.record({ kind: fc.constant("field"), at: fc.nat(), field: fc.constantFrom(...fields), value: junk() }),
  fc.record({ kind: fc.constant("drop"), at: fc.nat(), field: fc.constantFrom(...fields) }),
  fc.record({ kind: fc.constant("node"), at: fc.nat(), value: junk() }),
  fc.record({ kind: fc.constant("lose"), at: fc.nat() }),
  fc.record({ kind: fc.constant("parent"), at: fc.nat(), to: fc.nat() }),
  fc.record({ kind: fc.constant("list"), at: fc.nat(), to: fc.nat() }),
  fc.record({ kind: fc.constant("unlist"), at: fc.nat(), to: fc.nat() }),
  fc.record({
    ...{ kind: fc.constant("depend"), at: fc.nat(), to: fc.nat() },
    field: fc.constantFrom("blocked_by", "blocks", "depends"),
  }),
  fc.record({
    ...{ kind: fc.constant("links"), at: fc.nat(), value: junk() },
    field: fc.constantFrom("blocked_by", "blocks", "depends"),
  }),
  fc.record({
    ...{ kind: fc.constant("top"), value: junk() },
    field: fc.constantFrom("spec_id", "generated", "last_updated", "metadata", "journal", "hierarchy"),
  }),
);
type Blow = { kind: string; at?: number; to?: number; field?: string; value?: unknown };

function junk(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.constantFrom<unknown>(...words, null, 0, 1, 3, -1, 1.5, true, [], {}),
    fc.array(fc.constantFrom<unknown>(...words, "task-1", "task-2", "phase-1", 7, null), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...fields, "verification_type", "blocked_by"), fc.constantFrom(...words)),
    fc.jsonValue({ maxDepth: 2 }),
  );
}

/** Generates valid specs, and then makes them invalid. */
export const brokenSpecs: fc.Arbitrary<SpecDocument> = fc
  .tuple(validSpecs, fc.array(blows, { minLength: 1, maxLength: 6 }))
  .map(([spec, each]) => {
    const document = structuredClone(spec) as Record<string, unknown>;
    for (const blow of each) strike(document, blow);
    return document;
  });

function strike(document: Record<string, unknown>, { kind, at = 0, to = 0, field = "", value }: Blow): void {
  if (kind === "top") {
    document[field] = value;
    return;
  }
  const { hierarchy } = document;
  if (typeof hierarchy !== "object" || hierarchy === null) return;
  const nodes = hierarchy as Record<string, unknown>;
  const ids = Object.keys(nodes);
  const id = ids[at % ids.length] ?? "new";
  const other = ids[to % ids.length] ?? "ghost";
  const node = nodes[id];
  if (kind === "node") nodes[id] = value;
  else if (kind === "lose") delete nodes[id];
  else if (typeof node !== "object" || node === null) return;
  else hit(node as Record<string, unknown>, { kind, field, value, other, index: to });
}

function hit(
  node: Record<string, unknown>,
  {
    kind,
    field,
    value,
    other,
    index,
  }: { kind: string; field: string; value: unknown; other: string; index: number },
): void {
  const { children } = node;
  if (kind === "field") node[field] = value;
  else if (kind === "drop") delete node[field];
  else if (kind === "parent") node["parent"] = other;
  else if (kind === "list" && Array.isArray(children)) children.push(other);
  else if (kind === "unlist" && Array.isArray(children)) children.splice(index % (children.length + 1), 1);
  else if (kind === "depend" || kind === "links") {
    node["dependencies"] ??= {};
    const links = node["dependencies"];
    if (typeof links !== "object" || links === null || Array.isArray(links)) return;
    const lists = links as Record<string, unknown>;
    if (kind === "links") lists[field] = value;
    else if (Array.isArray(lists[field])) lists[field].push(other);
    else lists[field] = [other];
  }
}
