import type { RemedyCall, UnknownRecord } from "@foundry-mcp/contract";
import { notesOf } from "../../model/changes/notes.ts";
import { rootId } from "../../model/spec-document.ts";
import { progressOf, type SpecModel, type SpecNode } from "../../model/spec-model.ts";
import { phaseOf, toDependencies, toTaskRow } from "../spec-views.ts";
import { fitToTokens, type Shortener } from "./fit-to-tokens.ts";
import { waitedFor } from "./waited-for.ts";

/** The tokens of a task with its context; the envelope, the claim and the revision need the rest of 1,500. */
export const contextTokens = 1_250;

/** Options of a context. */
export interface ContextOptions {
  /** @default contextTokens */
  readonly maxTokens?: number | undefined;
  /** Whether to give the mission of the spec; several tasks in one response share it. @default true */
  readonly withMission?: boolean | undefined;
}

/** Converts a task to a payload with what its work needs, each thing once. */
export function toWork(spec: SpecModel, node: SpecNode, { maxTokens, withMission }: ContextOptions = {}) {
  return fitToTokens(maxTokens ?? contextTokens, (shorten) => ({
    ...toWorkFields(spec, node, shorten),
    ...toSurroundings(spec, node, shorten, withMission),
  }));
}

/** Converts a task to a payload with its whole context: siblings, progress of the phase and journal too. */
export function toPreparation(spec: SpecModel, node: SpecNode) {
  return fitToTokens(contextTokens, (shorten) => {
    // The context gives the title of the task that it was discovered from too.
    const { discovered_from: _, ...task } = toWorkFields(spec, node, shorten);
    return {
      task_id: node.id,
      task,
      dependencies: toOpenDependencies(spec, node, shorten),
      context: {
        ...toSurroundings(spec, node, shorten),
        ...toRelatives(spec, node, shorten),
        ...toJournal(spec, node, shorten),
      },
      spec_complete: false,
    };
  });
}

/** The calls that give what was left out. */
const callsOf = (spec: SpecModel, node: SpecNode) => {
  const spec_id = spec.id;
  const call = (tool: string, action: string, args: UnknownRecord = {}): RemedyCall => ({
    tool,
    action,
    arguments: { spec_id, ...args },
  });
  return {
    task: call("task", "info", { task_id: node.id }),
    node: (task_id: string) => call("task", "info", { task_id }),
    spec: call("spec", "get"),
    dependencies: call("task", "check-deps", { task_id: node.id }),
    notes: (kind: string) => call("authoring", "note-list", { kind }),
    siblings: call("task", "query", { ...(node.parent === null ? {} : { parent: node.parent }) }),
    journal: call("journal", "list"),
    taskJournal: call("journal", "list", { task_id: node.id }),
  };
};

/** The fields of a task by name, and the metadata that has no name of its own. */
function toWorkFields(spec: SpecModel, node: SpecNode, shorten: Shortener) {
  const { task: call } = callsOf(spec, node);
  const { blocked_by: _, ...row } = toTaskRow(node);
  const { description, file_path, labels, ...others } = row;
  const own = node.raw["description"];
  const told = description === "" && typeof own === "string" ? own : description;
  const { acceptance_criteria: stored } = node.metadata;
  const criteria =
    Array.isArray(stored) && stored.every((each) => typeof each === "string") ? stored : undefined;
  const path = file_path === undefined ? undefined : shorten.whole("file_path", file_path, call);
  return {
    ...others,
    title: shorten.text("main", "title", others.title, call),
    description: shorten.text("main", "description", told, call),
    ...(path === undefined ? {} : { file_path: path }),
    ...(labels === undefined ? {} : { labels: shorten.list("main", "labels", labels, call) }),
    ...(criteria === undefined
      ? {}
      : {
          acceptance_criteria: shorten
            .list("main", "acceptance_criteria", criteria as readonly string[], call)
            .map((each, index) => shorten.text("beside", `acceptance_criteria[${index}]`, each, call)),
        }),
    ...(spec.isLeaf(node)
      ? {}
      : {
          children: shorten.list("main", "children", node.children, call),
          progress: progressOf(spec.tally(node.id)),
        }),
    metadata: toOtherMetadata(node, { ...row, acceptance_criteria: criteria }, shorten, call),
  };
}

/** What `blocker` gives by other names. */
const blockerKeys: ReadonlySet<string> = new Set(["blocker_type", "blocker_description", "blocker_ticket"]);

function toOtherMetadata(
  { metadata, status }: SpecNode,
  given: UnknownRecord,
  shorten: Shortener,
  call: RemedyCall,
): UnknownRecord {
  const isGiven = (key: string) =>
    (Object.hasOwn(given, key) && given[key] !== undefined) || (status === "blocked" && blockerKeys.has(key));
  const others = Object.entries(metadata).filter(([key]) => !isGiven(key));
  const kept = shorten
    .list("main", "metadata", others, call)
    .filter(([key, value]) => shorten.whole(`metadata.${key}`, value, call) !== undefined);
  return Object.fromEntries(kept);
}

/** The mission, the purpose of the phase, what restricts the task, and what it waited for. */
function toSurroundings(spec: SpecModel, node: SpecNode, shorten: Shortener, withMission = true) {
  const calls = callsOf(spec, node);
  const { mission } = spec.metadata;
  const phase = phaseOf(spec, node.id);
  const done = waitedFor(spec, node);
  return {
    ...(withMission && isText(mission)
      ? { mission: shorten.text("beside", "mission", mission, calls.spec) }
      : {}),
    ...(phase === undefined || phase.id === node.id ? {} : { phase: toPhase(spec, phase, shorten) }),
    ...toRestrictions(spec, node, phase, shorten),
    ...(done.length === 0
      ? {}
      : {
          waited_for: shorten
            .list("beside", "waited_for", done, calls.journal)
            .map(({ task_id, title, note }, index) => ({
              task_id,
              title: shorten.text("title", `waited_for[${index}].title`, title, calls.node(task_id)),
              ...(note === undefined
                ? {}
                : { note: shorten.text("beside", `waited_for[${index}].note`, note, calls.journal) }),
            })),
        }),
  };
}

function toPhase(spec: SpecModel, phase: SpecNode, shorten: Shortener) {
  const { purpose, description } = phase.metadata;
  const call = callsOf(spec, phase).task;
  const reason = [purpose, description].find(isText);
  return {
    id: phase.id,
    title: shorten.text("title", "phase.title", phase.title, call),
    ...(reason === undefined ? {} : { purpose: shorten.text("beside", "phase.purpose", reason, call) }),
  };
}

/** The constraints and risks that name the task or its phase. */
function toRestrictions(
  spec: SpecModel,
  node: SpecNode,
  phase: SpecNode | undefined,
  shorten: Shortener,
): UnknownRecord {
  const notes = notesOf(spec, ["constraint", "risk"]);
  if (notes.length === 0) return {};
  const isNamed = createNameSearch(phase === undefined ? [node] : [node, phase]);
  const named = notes.filter((note) => isNamed(JSON.stringify(note)));
  return Object.fromEntries(
    (["constraint", "risk"] as const).flatMap((kind) => {
      const own = named.filter((note) => note.kind === kind);
      if (own.length === 0) return [];
      const field = `${kind}s`;
      const call = callsOf(spec, node).notes(kind);
      const kept = shorten.list("beside", field, own, call).map(({ index, kind: _, text, ...facts }) => {
        const told = shorten.text("beside", `${field}[${index}]`, text, call);
        const whole = shorten.whole(`${field}[${index}].facts`, facts, call) ?? {};
        return Object.keys(whole).length === 0 ? told : { text: told, ...whole };
      });
      return [[field, kept]];
    }),
  );
}

/** A shorter title is a common word rather than a name. */
const minTitleLength = 4;

/** Creates a function that tells whether a text names one of the nodes by its id or title. */
function createNameSearch(nodes: readonly SpecNode[]): (text: string) => boolean {
  const names = nodes.flatMap(({ id, title }) =>
    title.trim().length < minTitleLength ? [id] : [id, title.trim()],
  );
  const escaped = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // The id task-1-1 is not named by task-1-10 or task-1-1-2.
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_-])(?:${escaped.join("|")})(?![\\p{L}\\p{N}_]|-[\\p{L}\\p{N}])`,
    "iu",
  );
  return (text) => pattern.test(text);
}

/** The dependencies of a task that are open, and the tasks that wait for it. */
function toOpenDependencies(spec: SpecModel, node: SpecNode, shorten: Shortener) {
  const { dependencies: call } = callsOf(spec, node);
  const {
    task_id: _,
    status,
    blockers,
    blocked_by,
    blocks,
    soft_depends,
    ...others
  } = toDependencies(spec, node);
  const list = <T>(field: string, values: readonly T[]) =>
    values.length === 0 ? {} : { [field]: shorten.list("beside", `dependencies.${field}`, values, call) };
  return {
    ...others,
    ...(status === node.status ? {} : { status }),
    blocked_by: shorten.list("beside", "dependencies.blocked_by", blocked_by, call),
    ...list("blockers", blockers),
    ...list("blocks", blocks),
    ...list("soft_depends", soft_depends),
  };
}

/** The nodes around a task. */
function toRelatives(spec: SpecModel, node: SpecNode, shorten: Shortener) {
  const calls = callsOf(spec, node);
  const phase = phaseOf(spec, node.id);
  const parent = node.parent === null ? undefined : spec.node(node.parent);
  const brief = (other: SpecNode) => ({
    id: other.id,
    title: shorten.text("title", `title of ${other.id}`, other.title, calls.node(other.id)),
    status: other.status,
  });
  const siblings = spec.node(node.parent ?? "")?.children ?? [];
  const place = siblings.indexOf(node.id);
  const previous = place > 0 ? spec.node(siblings[place - 1] ?? "") : undefined;
  // The ones that follow come first, because they depend on this task more than earlier ones.
  const others = [...siblings.slice(place + 1), ...siblings.slice(0, Math.max(0, place - 1)).toReversed()];
  const near = shorten
    .list("beside", "siblings", others, calls.siblings)
    .flatMap((id) => spec.node(id) ?? []);
  const from = node.metadata["discovered_from"];
  const source = typeof from === "string" ? (spec.node(from) ?? { id: from }) : undefined;
  return {
    ...(phase === undefined || phase.id === node.id
      ? { phase: null }
      : {
          phase: {
            ...toPhase(spec, phase, shorten),
            status: phase.status,
            progress: progressOf(spec.tally(phase.id)),
          },
        }),
    parent_task:
      parent === undefined || parent.id === rootId || parent.id === phase?.id ? null : brief(parent),
    previous_sibling: previous === undefined ? null : brief(previous),
    ...(near.length === 0 ? {} : { siblings: near.map(brief) }),
    ...(source === undefined ? {} : { discovered_from: "title" in source ? brief(source) : source }),
  };
}

/** The maximum number of entries about the task, and about others. */
const maxEntries = { own: 5, others: 3 };

/** The last entries of the journal about a task, and the last about others. */
function toJournal(spec: SpecModel, { id, ...node }: SpecNode, shorten: Shortener) {
  const calls = callsOf(spec, { id, ...node });
  const told = new Set(waitedFor(spec, { id, ...node }).map(({ task_id }) => task_id));
  const own: UnknownRecord[] = [];
  const others: UnknownRecord[] = [];
  // It searches from the end, because journals are long.
  for (let index = spec.journal.length - 1; index >= 0 && own.length < maxEntries.own; index--) {
    const entry = spec.journal[index] as UnknownRecord;
    if (entry["task_id"] === id) own.push(entry);
    else if (others.length < maxEntries.others && !told.has(String(entry["task_id"]))) others.push(entry);
  }
  const toEntry = (field: string, call: RemedyCall) => (entry: UnknownRecord, index: number) => {
    const { timestamp, entry_type, title, content, task_id } = entry;
    return {
      timestamp,
      entry_type,
      ...(task_id === undefined || task_id === id ? {} : { task_id }),
      title: typeof title === "string" ? shorten.text("title", `${field}[${index}].title`, title, call) : "",
      content:
        typeof content === "string"
          ? shorten.text("beside", `${field}[${index}].content`, content, call)
          : "",
    };
  };
  const list = (field: string, entries: readonly UnknownRecord[], call: RemedyCall) =>
    shorten.list("beside", field, entries, call).map(toEntry(field, call));
  return {
    task_journal: list("task_journal", own, calls.taskJournal).toReversed(),
    ...(others.length === 0
      ? {}
      : { recent_journal: list("recent_journal", others, calls.journal).toReversed() }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
