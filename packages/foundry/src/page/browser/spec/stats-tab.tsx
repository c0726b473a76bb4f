import { toStats } from "../../../specs/model/analyze/stats.ts";
import { priorityOf } from "../../../specs/model/priority.ts";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { labelsOf, ownerOf, tasksOf } from "../model/filter.ts";
import type { TabProps } from "../model/tab-props.ts";
import { workStates } from "../model/work-states.ts";
import { Bar } from "../parts/bar.tsx";
import { StatusMark } from "../parts/status-mark.tsx";
import { Text } from "../parts/text.tsx";
import { specHash } from "../routes/route.ts";
import { columnStates } from "./board-columns.ts";

const days = 30;
const dayMs = 86_400_000;

/** The numbers of a spec. */
export function StatsTab({ spec }: TabProps) {
  const { model } = spec;
  const tasks = tasksOf(model);
  const states = workStates(model);
  const stats = toStats(model);
  const count = (state: string) => tasks.filter(({ id }) => states.get(id) === state).length;
  const hours = (name: string) =>
    tasks.reduce(
      (sum, { metadata }) => sum + (typeof metadata[name] === "number" ? (metadata[name] as number) : 0),
      0,
    );
  const estimated = hours("estimated_hours");
  return (
    <div class="stats">
      <section aria-labelledby="stats-status">
        <h2 id="stats-status">Tasks by status</h2>
        <div class="stat-tiles">
          {columnStates.map((state) => (
            <p key={state} class={`stat-tile column-${state}`}>
              <strong>{count(state)}</strong>
              <StatusMark state={state} isNamed />
            </p>
          ))}
        </div>
      </section>
      <section aria-labelledby="stats-days">
        <h2 id="stats-days">Completed in the last {days} days</h2>
        <DayChart tasks={tasks} />
      </section>
      <section aria-labelledby="stats-phases">
        <h2 id="stats-phases">Phases</h2>
        <ul class="stat-rows">
          {stats.phases.slice(0, 200).map(({ phase_id, title, progress }) => (
            <li key={phase_id}>
              <a href={specHash(spec.id, "board", { phase: phase_id })}>
                <Text text={title} max={80} />
              </a>
              <Bar {...progress} label={`Progress of ${phase_id}`} />
              <span class="numbers">
                {progress.completed}/{progress.total}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <Group
        specId={spec.id}
        title="Owners"
        name="owner"
        tasks={tasks}
        valuesOf={(node) => [ownerOf(node) || "nobody"]}
      />
      <Group specId={spec.id} title="Labels" name="label" tasks={tasks} valuesOf={labelsOf} />
      <Group
        specId={spec.id}
        title="Priorities"
        name="priority"
        tasks={tasks}
        valuesOf={(node) => [priorityOf(node.metadata) ?? "none"]}
      />
      <section aria-labelledby="stats-rest">
        <h2 id="stats-rest">Shape</h2>
        <dl class="facts">
          {[
            ["Phases", stats.totals.phases],
            ["Tasks", stats.totals.tasks],
            ["Verifications", stats.totals.verifications],
            ["Phases with a verification", `${Math.round(stats.phases_with_verify_share * 100)} %`],
            ["Levels", stats.max_depth],
            ...(estimated > 0
              ? [
                  ["Estimated", `${round(estimated)} h`],
                  ["Took so far", `${round(hours("actual_hours"))} h`],
                ]
              : []),
          ].map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}

function Group({
  specId,
  title,
  name,
  tasks,
  valuesOf,
}: {
  readonly specId: string;
  readonly title: string;
  readonly name: string;
  readonly tasks: readonly SpecNode[];
  readonly valuesOf: (node: SpecNode) => readonly string[];
}) {
  const groups = new Map<string, { completed: number; total: number }>();
  for (const node of tasks)
    for (const value of valuesOf(node)) {
      const group = groups.get(value) ?? { completed: 0, total: 0 };
      group.total += 1;
      if (node.status === "completed") group.completed += 1;
      groups.set(value, group);
    }
  if (groups.size === 0 || (groups.size === 1 && (groups.has("nobody") || groups.has("none")))) return null;
  const sorted = [...groups].toSorted(([, a], [, b]) => b.total - a.total).slice(0, 20);
  return (
    <section aria-labelledby={`stats-${name}`}>
      <h2 id={`stats-${name}`}>{title}</h2>
      <ul class="stat-rows">
        {sorted.map(([value, group]) => (
          <li key={value}>
            {value === "nobody" || value === "none" ? (
              <span>{value}</span>
            ) : (
              <a href={specHash(specId, "board", { [name]: value })}>
                <Text text={value} max={60} />
              </a>
            )}
            <Bar {...group} label={`Completed of ${value.slice(0, 60)}`} />
            <span class="numbers">
              {group.completed}/{group.total}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function DayChart({ tasks }: { readonly tasks: readonly SpecNode[] }) {
  const today = Math.floor(Date.now() / dayMs);
  const counts = new Array<number>(days).fill(0);
  for (const { status, metadata } of tasks) {
    if (status !== "completed" || typeof metadata["completed_at"] !== "string") continue;
    const index = days - 1 - (today - Math.floor(Date.parse(metadata["completed_at"]) / dayMs));
    if (index >= 0 && index < days) counts[index] = (counts[index] ?? 0) + 1;
  }
  const max = Math.max(1, ...counts);
  const total = counts.reduce((sum, each) => sum + each, 0);
  return (
    <svg
      class="day-chart"
      viewBox={`0 0 ${days * 10} 60`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${total} tasks were completed in the last ${days} days`}
    >
      {counts.map((count, index) => (
        <rect
          key={index}
          x={index * 10 + 1}
          width={8}
          y={58 - (count / max) * 54}
          height={Math.max(2, (count / max) * 54 + 2)}
          class={count === 0 ? "is-empty" : ""}
        >
          <title>{`${new Date((today - days + 1 + index) * dayMs).toISOString().slice(0, 10)}: ${count}`}</title>
        </rect>
      ))}
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
