import { useEffect, useState } from "preact/hooks";
import { openDialog } from "../acts/dialogs.ts";
import { undo } from "../acts/undo.ts";
import type { IconName } from "../parts/icon.tsx";
import { currentRoute, go, setQuery } from "../routes/current-route.ts";
import { specHash, toHash } from "../routes/route.ts";
import { type SearchHit, searchTexts } from "../search/search-texts.ts";
import { canWrite } from "../state/session.ts";
import { specStore } from "../state/spec-cache.ts";
import { specList } from "../state/spec-list.ts";
import { setTheme } from "../state/theme.ts";

/** Something that the palette finds. */
export interface PaletteEntry {
  readonly key: string;
  readonly icon: IconName;
  readonly text: string;
  readonly hint: string;
  readonly keys?: string | undefined;
  run(): void;
}

const maxSpecs = 8;
const maxTasks = 12;
/** The time without typing, in milliseconds, after which the page asks the server to search all texts. */
const pauseMs = 120;

/** Returns what matches the words: acts and places, specs, tasks of the open spec, and hits in all texts. */
export function useEntries(text: string): {
  readonly entries: readonly PaletteEntry[];
  readonly isSearching: boolean;
} {
  const [found, setFound] = useState<{ readonly text: string; readonly hits: readonly SearchHit[] }>({
    text: "",
    hits: [],
  });
  const asked = text.trim();
  useEffect(() => {
    if (asked.length < 2) return;
    const ended = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await searchTexts(asked, 20, undefined, ended.signal);
      if (!ended.signal.aborted) setFound({ text: asked, hits: answer.ok ? answer.data.hits : [] });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [asked]);
  const words = asked
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const matches = (...texts: readonly string[]) =>
    words.every((word) => texts.join(" ").toLowerCase().includes(word));
  const acts = actEntries().filter(({ text: own, hint }) => matches(own, hint));
  const specs = specList
    .get()
    .specs.filter(({ title, id }) => matches(title, id))
    .slice(0, maxSpecs)
    .map(
      ({ id, title, status }): PaletteEntry => ({
        key: `spec ${id}`,
        icon: "file",
        text: title,
        hint: `${status} · ${id}`,
        run: () => go(specHash(id)),
      }),
    );
  const tasks = words.length === 0 ? [] : taskEntries(matches);
  const known = new Set([...specs, ...tasks].map(({ key }) => key));
  const hits =
    found.text === asked
      ? found.hits
          .map(toHitEntry)
          .filter(
            ({ key }, index, all) => !known.has(key) && all.findIndex((other) => other.key === key) === index,
          )
      : [];
  const isSearching = asked.length >= 2 && found.text !== asked;
  const all = words.length === 0 ? [...acts, ...specs] : [...tasks, ...specs, ...acts, ...hits];
  return { entries: asked.length < 2 ? all : [...all, allHits(asked)], isSearching };
}

function taskEntries(matches: (...texts: readonly string[]) => boolean): readonly PaletteEntry[] {
  const route = currentRoute.get();
  if (route.name !== "spec") return [];
  const spec = specStore(route.specId).get().spec;
  const found: PaletteEntry[] = [];
  for (const node of spec?.model.orderedNodes ?? []) {
    if (found.length === maxTasks) break;
    if (node.type === "phase" || !matches(node.id, node.title)) continue;
    found.push({
      key: `task ${route.specId} ${node.id}`,
      icon: "check",
      text: node.title,
      hint: node.id,
      run: () => setQuery({ task: node.id }),
    });
  }
  return found;
}

function toHitEntry({ spec_id, task_id, title = "", snippet, field }: SearchHit): PaletteEntry {
  return {
    key: task_id === undefined ? `spec ${spec_id}` : `task ${spec_id} ${task_id}`,
    icon: task_id === undefined ? "file" : "check",
    text: title || snippet,
    hint: `${task_id ?? spec_id} · ${field}: ${snippet}`,
    run: () => go(specHash(spec_id, "board", task_id === undefined ? {} : { task: task_id })),
  };
}

function allHits(text: string): PaletteEntry {
  const hash = toHash({ name: "search", query: { q: text } });
  return {
    key: "all hits",
    icon: "search",
    text: `Search all texts for “${text}”`,
    hint: "",
    run: () => go(hash),
  };
}

function actEntries(): readonly PaletteEntry[] {
  const route = currentRoute.get();
  const act = (icon: IconName, text: string, run: () => void, keys?: string): PaletteEntry => ({
    key: `act ${text}`,
    icon,
    text,
    hint: "",
    keys,
    run,
  });
  const places = [
    act("list", "Go to specs", () => go("#/"), "g s"),
    act("pulse", "Go to now: who works on what", () => go("#/now"), "g n"),
    act("gate", "Go to the gateway", () => go("#/gateway"), "g g"),
    act("check", "Go to the contract: check an answer", () => go("#/contract"), "g c"),
    act("sun", "Light colours", () => setTheme("light")),
    act("moon", "Dark colours", () => setTheme("dark")),
    act("system", "Colours of the system", () => setTheme("system")),
    act("list", "Show the keyboard shortcuts", () => openDialog.set({ kind: "keys" }), "?"),
  ];
  const newSpec = canWrite()
    ? [act("plus", "Create a spec", () => openDialog.set({ kind: "new-spec" }))]
    : [];
  if (route.name !== "spec") return [...newSpec, ...places];
  const { specId } = route;
  const changes = canWrite()
    ? [
        act("plus", "Add a task", () => openDialog.set({ kind: "add-task", specId }), "n"),
        act("plus", "Add a phase", () => openDialog.set({ kind: "add-phase", specId })),
        act("edit", "Edit the spec", () => openDialog.set({ kind: "edit-spec", specId })),
        act("undo", "Undo my last change", () => void undo(specId), "z"),
      ]
    : [];
  const tabs = [
    act("board", "Show the board", () => go(specHash(specId, "board")), "1"),
    act("tree", "Show the tree", () => go(specHash(specId, "tree")), "2"),
    act("graph", "Show the graph of dependencies", () => go(specHash(specId, "graph")), "3"),
    act("history", "Show the history", () => go(specHash(specId, "history")), "4"),
    act("stats", "Show the statistics", () => go(specHash(specId, "stats")), "5"),
  ];
  return [...changes, ...tabs, ...newSpec, ...places];
}
