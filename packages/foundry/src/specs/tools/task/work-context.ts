import type { RemedyCall, UnknownRecord } from "@foundry-mcp/contract";
import { notesOf } from "../../model/changes/notes.ts";
import { recordFields } from "../../model/known-values.ts";
import { rootId } from "../../model/spec-document.ts";
import { progressOf, type SpecModel, type SpecNode } from "../../model/spec-model.ts";
import { phaseOf, toDependencies, toTaskRow } from "../spec-views.ts";
import { contextTokens, fitToTokens, type Shortener } from "./fit-to-tokens.ts";
import { waitedFor } from "./waited-for.ts";

/** Options of the context of a task. */
export interface ContextOptions {
  /** The maximum number of tokens. @default contextTokens */
  readonly maxTokens?: number | undefined;
  /**
   * Include the mission of the spec. If one response contains several tasks, they share the mission.
   * @default true
   */
  readonly withMission?: boolean | undefined;
}

/** Converts a task to a payload that contains all information for its work only once. */
export function toWork(spec: SpecModel, node: SpecNode, { maxTokens, withMission }: ContextOptions = {}) {
  return fitToTokens(maxTokens ?? contextTokens, (shorten) => ({
    ...toWorkFields(spec, node, shorten),
    ...toSurroundings(spec, node, shorten, withMission),
  }));
}

/**
 * Converts a task to a payload with its whole context, including its siblings, the progress of its phase and
 * the journal.
 */
export function toPreparation(spec: SpecModel, node: SpecNode, maxTokens: number = contextTokens) {
  return fitToTokens(maxTokens, (shorten) => {
    // The context also contains the title of the task in `discovered_from`, so the field is left out here.
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

/** Creates the calls that return the parts that were left out. */
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

/** Returns the named fields of a task, and its other metadata. */
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
            .map((each, index) => shorten.text("main", `acceptance_criteria[${index}]`, each, call)),
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

/** The metadata fields that the member `blocker` contains under other names. */
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
  // The fields that describe the task come before the fields that record events.
  const ordered = [
    ...others.filter(([key]) => !recordFields.has(key)),
    ...others.filter(([key]) => recordFields.has(key)),
  ];
  const kept = shorten.list("main", "metadata", ordered, call).flatMap(([key, value]) => {
    const short = shortenValue(`metadata.${key}`, value, shorten, call);
    return short === undefined ? [] : [[key, short]];
  });
  return Object.fromEntries(kept);
}

/**
 * Shortens texts and lists, because a part of a text or list is useful. Any other value is kept whole or left
 * out.
 */
function shortenValue(field: string, value: unknown, shorten: Shortener, call: RemedyCall): unknown {
  if (typeof value === "string") return shorten.text("main", field, value, call);
  if (!Array.isArray(value)) return shorten.whole(field, value, call);
  const items: readonly unknown[] = shorten.list("main", field, value, call);
  return items.flatMap((item, index) => {
    const at = `${field}[${index}]`;
    const short =
      typeof item === "string" ? shorten.text("main", at, item, call) : shorten.whole(at, item, call);
    return short === undefined ? [] : [short];
  });
}

/**
 * Returns the mission, the purpose of the phase, the restrictions of the task, and the completed work for
 * which the task waited.
 */
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

/** Returns the constraints and risks that name the task or its phase. */
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

/** The minimum length of a title to search for. A shorter title is probably a common word and not a name. */
const minTitleLength = 4;

/** Creates a function that returns whether a text contains the id or title of one of the nodes. */
function createNameSearch(nodes: readonly SpecNode[]): (text: string) => boolean {
  const names = nodes.flatMap(({ id, title }) =>
    title.trim().length < minTitleLength ? [id] : [id, title.trim()],
  );
  const escaped = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // The texts task-1-10 and task-1-1-2 do not contain the id task-1-1.
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_-])(?:${escaped.join("|")})(?![\\p{L}\\p{N}_]|-[\\p{L}\\p{N}])`,
    "iu",
  );
  return (text) => pattern.test(text);
}

/** Returns the open dependencies of a task, and the tasks that wait for the task. */
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

/** Returns the nodes around a task. */
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
  // Following siblings come first, because they depend on this task more often than preceding siblings do.
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

/** The maximum numbers of entries about the task itself and about other nodes. */
const maxEntries = { own: 5, others: 3 };

/** Returns the last entries of the journal about a task, and the last entries about other nodes. */
function toJournal(spec: SpecModel, { id, ...node }: SpecNode, shorten: Shortener) {
  const calls = callsOf(spec, { id, ...node });
  const told = new Set(waitedFor(spec, { id, ...node }).map(({ task_id }) => task_id));
  const own: UnknownRecord[] = [];
  const others: UnknownRecord[] = [];
  // The search begins at the end, because journals are long.
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
