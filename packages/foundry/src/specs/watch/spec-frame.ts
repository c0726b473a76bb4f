import { rootId } from "../model/spec-document.ts";
import { progressOf, type SpecModel, type SpecNode } from "../model/spec-model.ts";
import type { SpecSnapshot } from "../stores/spec-store.ts";
import { fitSections, type Section, toHeading } from "./fit-sections.ts";
import { eventsSection, problemRows, quitHint, toWhen } from "./parts.ts";
import { type Screen, type Segment, toBar, toRow } from "./screen.ts";
import { blockedSection, nextSection, waitingSection, workSection } from "./task-sections.ts";
import type { WatchState } from "./watch-state.ts";
import { workListsOf } from "./work-lists.ts";

/** Returns the frame of one spec: its phases, its tasks by state, the journal, and the last changes. */
export function toSpecFrame(
  spec: SpecSnapshot,
  state: WatchState,
  screen: Screen,
  now: string,
): readonly string[] {
  const { height } = screen;
  const { model } = spec;
  const held = new Map(state.held.get(spec.id)?.map((task) => [task.task_id, task]));
  const head = [...toHead(spec, screen), ...problemRows(state.problems, screen)].slice(0, height);
  const sections = [
    phasesSection(model, screen),
    workSection(model, held, screen, now),
    blockedSection(model, screen),
    nextSection(model, held, screen, now),
    waitingSection(model, screen),
    journalSection(model, screen, now),
    eventsSection(state.events, screen, now, { rank: 6, withSpec: false }),
  ];
  return [...head, ...fitSections(sections, height - head.length, height)];
}

function toHead(
  { id, folder, revision, model }: SpecSnapshot,
  { width, height, colors }: Screen,
): readonly string[] {
  const tally = model.tally(rootId);
  const { completed, total, percentage } = progressOf(tally);
  const title: Segment = [model.title || id, colors.bold];
  if (height < 3) return [toRow([title], [`${percentage} %`], width)];
  const { inProgress, blocked } = workListsOf(model);
  const counts = [
    `${percentage} %`,
    `${completed} of ${total} done`,
    ...(inProgress.length === 0 ? [] : [`${inProgress.length} in progress`]),
    ...(blocked.length === 0 ? [] : [`${blocked.length} blocked`]),
  ];
  const bar = width >= 60 ? Math.floor(width / 3) : 0;
  return [
    toRow([title], width < 40 ? [folder] : [folder, "  ", quitHint(colors)], width),
    ...(height < 10 ? [] : [toRow([[`${id}  revision ${revision}`, colors.dim]], [], width)]),
    toRow([...toBar(tally, bar, colors), bar === 0 ? "" : "  ", counts.join(", ")], [], width),
  ];
}

function phasesSection(model: SpecModel, { width, colors }: Screen): Section {
  const { phases } = model;
  const isOpen = ({ id }: SpecNode) => model.tally(id).completed < model.tally(id).total;
  const current = phases.findIndex(isOpen);
  const bar = width >= 100 ? 20 : width >= 60 ? 10 : 0;
  return {
    size: phases.length,
    rank: 1,
    weight: 2,
    focus: current,
    heading: (shown) => toRow([[toHeading("Phases", shown, phases.length), colors.bold]], [], width),
    row: (index) => {
      const { id, title } = phases[index] as SpecNode;
      const tally = model.tally(id);
      const { completed, total, percentage } = progressOf(tally);
      const mark: Segment =
        percentage === 100 ? ["✓ ", colors.green] : index === current ? ["▸ ", colors.yellow] : "  ";
      const numbers =
        width >= 40
          ? `${percentage} %`.padStart(6) + ` ${completed}/${total}`.padStart(10)
          : `${percentage} %`;
      return toRow(
        ["  ", mark, [id, colors.dim], `  ${title}`],
        [...toBar(tally, bar, colors), numbers],
        width,
      );
    },
  };
}

function journalSection(model: SpecModel, { width, colors, timeZone }: Screen, now: string): Section {
  const { journal } = model;
  return {
    size: journal.length,
    rank: 4,
    weight: 2,
    heading: (shown) => toRow([[toHeading("Journal", shown, journal.length), colors.bold]], [], width),
    row: (index) => {
      const { timestamp, title, content, author } = journal[journal.length - 1 - index] ?? {};
      const [when, what, text, who] = [timestamp, title, content, author].map(textOf);
      const rest = text === "" || text === what ? "" : `  ${text}`;
      return toRow(
        ["  ", [toWhen(when ?? "", now, width < 40, timeZone), colors.dim], `  ${what}`, [rest, colors.dim]],
        width < 60 || who === "" ? [] : [[who ?? "", colors.dim]],
        width,
      );
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
