import type { specFolders } from "../model/spec-document.ts";
import { progressOf } from "../model/spec-model.ts";
import type { SpecSummary } from "../stores/spec-store.ts";
import { fitSections, type Section, toHeading } from "./fit-sections.ts";
import { eventsSection, leaseSegment, problemRows, quitHint } from "./parts.ts";
import { type Screen, toBar, toRow } from "./screen.ts";
import { toSpecFrame } from "./spec-frame.ts";
import { isLeaseActive, type LeasedTask, type WatchState } from "./watch-state.ts";

/**
 * Returns the lines of a live view. The lines fit the screen and contain no control sequences except colors.
 */
export function toFrame(state: WatchState, screen: Screen, now: string): readonly string[] {
  const room = { ...screen, width: Math.max(1, screen.width), height: Math.max(1, screen.height) };
  return state.spec === undefined ? toListFrame(state, room, now) : toSpecFrame(state.spec, state, room, now);
}

/** The folders in the order in which they are shown. */
const shownOrder = [
  "active",
  "pending",
  "completed",
  "archived",
] as const satisfies (typeof specFolders)[number][];

/** Returns the frame of all specs: progress, leased tasks and the last changes. */
function toListFrame(state: WatchState, screen: Screen, now: string): readonly string[] {
  const { width, height, colors } = screen;
  const count = state.specs.length;
  const active = state.specs.filter(({ folder }) => folder === "active").length;
  const head = [
    toRow(
      [["Foundry", colors.bold], `  ${count} ${count === 1 ? "spec" : "specs"}, ${active} active`],
      [quitHint(colors)],
      width,
    ),
    ...problemRows(state.problems, screen),
  ].slice(0, height);
  const sections = [
    ...shownOrder.map((folder, place) => folderSection(folder, place, state, screen, now)),
    eventsSection(state.events, screen, now, { rank: 1, withSpec: true }),
  ];
  const body = fitSections(sections, height - head.length, height);
  return count === 0
    ? [...head, ...noSpecs(screen, height - head.length), ...body].slice(0, height)
    : [...head, ...body];
}

function noSpecs({ width }: Screen, room: number): readonly string[] {
  return room > 0 ? [toRow(["There are no specs. They are shown here as they come."], [], width)] : [];
}

interface ListRow {
  readonly spec: SpecSummary;
  readonly task?: LeasedTask;
}

function folderSection(
  folder: SpecSummary["folder"],
  place: number,
  { specs, held }: WatchState,
  screen: Screen,
  now: string,
): Section {
  const { width, colors } = screen;
  const inside = specs.filter((spec) => spec.folder === folder).toSorted(byNewest);
  const rows: readonly ListRow[] = inside.flatMap((spec) => [
    { spec },
    ...(held.get(spec.id) ?? []).filter((task) => isLeaseActive(task, now)).map((task) => ({ spec, task })),
  ]);
  const name = `${folder.slice(0, 1).toUpperCase()}${folder.slice(1)}`;
  return {
    size: rows.length,
    rank: place === 0 ? 0 : place + 1,
    weight: [8, 3, 1, 1][place] ?? 1,
    heading: (shown) => {
      const seen = rows.slice(0, shown).filter(({ task }) => task === undefined).length;
      return toRow([[toHeading(name, seen, inside.length), colors.bold]], [], width);
    },
    row: (index) => toListRow(rows[index] as ListRow, screen, now),
  };
}

function toListRow({ spec, task }: ListRow, { width, colors }: Screen, now: string): string {
  if (task !== undefined)
    return toRow(
      ["    ", [task.task_id, colors.yellow], ` ${task.title}`],
      leaseSegment(task, width, now),
      width,
    );
  const { completed, total, percentage } = progressOf(spec.progress);
  const bar = width >= 100 ? 20 : width >= 60 ? 10 : 0;
  const numbers =
    width >= 40 ? `${percentage} %`.padStart(6) + ` ${completed}/${total}`.padStart(10) : `${percentage} %`;
  return toRow(
    ["  ", [spec.title, colors.bold], ...(width < 60 ? [] : ["  ", [spec.id, colors.dim] as const])],
    [...toBar(spec.progress, bar, colors), numbers],
    width,
  );
}

function byNewest(a: SpecSummary, b: SpecSummary): number {
  const [first, second] = [a.updated ?? "", b.updated ?? ""];
  if (first !== second) return first < second ? 1 : -1;
  return a.id < b.id ? -1 : 1;
}
