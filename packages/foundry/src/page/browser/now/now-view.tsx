import { Empty } from "../parts/empty.tsx";
import { ErrorBox } from "../parts/error-box.tsx";
import { Icon } from "../parts/icon.tsx";
import { Loading } from "../parts/loading.tsx";
import { StatusMark } from "../parts/status-mark.tsx";
import { Text } from "../parts/text.tsx";
import { Ago, Left } from "../parts/time.tsx";
import { specHash } from "../routes/route.ts";
import { isActive } from "../state/claims.ts";
import { clock } from "../state/clock.ts";
import { useStore } from "../state/store.ts";
import type { TaskRow } from "./read-now.ts";
import { type Now, useNow } from "./use-now.ts";

const hourMs = 3_600_000;
const maxShown = 40;

/** Who works on what, what was done in the last hour, and what waits for whom. */
export function NowView() {
  const now = useNow();
  return (
    <div class="now-view">
      <div class="view-header">
        <h1>Now</h1>
        <p class="quiet">
          {now.specs.length} active {now.specs.length === 1 ? "spec" : "specs"}
          {now.more > 0 && `, and ${now.more} that changed longer ago`}
        </p>
      </div>
      {now.error !== undefined && <ErrorBox error={now.error} />}
      {!now.isReady && now.error === undefined ? (
        <Loading label="Reading what happens" rows={8} />
      ) : now.specs.length === 0 ? (
        <Empty icon="pulse" title="No spec is active">
          <p>
            People and agents work on active specs. <a href="#/">Choose one, and move it to active.</a>
          </p>
        </Empty>
      ) : (
        <div class="now-columns">
          <Holders now={now} />
          <Done now={now} />
          <Waiting now={now} />
        </div>
      )}
    </div>
  );
}

function Holders({ now: { claims, specs } }: { readonly now: Now }) {
  const time = useStore(clock);
  const held = new Set(
    claims.filter((claim) => isActive(claim, time)).map(({ spec_id, task_id }) => `${spec_id} ${task_id}`),
  );
  const active = claims.filter((claim) => isActive(claim, time));
  const others = specs.flatMap(({ id, title, inProgress }) =>
    inProgress.filter(({ task_id }) => !held.has(`${id} ${task_id}`)).map((task) => ({ id, title, task })),
  );
  const next = specs.flatMap(({ id, title, ready }) =>
    ready === undefined || held.has(`${id} ${ready.task_id}`) ? [] : [{ id, title, task: ready }],
  );
  return (
    <section class="now-column" aria-labelledby="now-work">
      <h2 id="now-work">
        Who works on what <span class="count">{active.length + others.length}</span>
      </h2>
      {active.length + others.length === 0 && <p class="quiet">Nobody works on a task right now.</p>}
      <ul class="now-rows">
        {active.slice(0, maxShown).map((claim) => (
          <li key={`${claim.spec_id} ${claim.task_id}`}>
            <p class="now-who">
              <Icon name="lock" />
              <strong>
                <Text text={claim.holder} max={60} />
              </strong>
              <span class="quiet">
                <Left until={claim.lease_until} />
              </span>
            </p>
            <TaskLink
              specId={claim.spec_id}
              title={claim.spec_id}
              task={{ ...claim, status: "in_progress" }}
            />
          </li>
        ))}
        {others.slice(0, maxShown).map(({ id, title, task }) => (
          <li key={`${id} ${task.task_id}`}>
            <p class="now-who">
              <Icon name="person" />
              {task.owner === undefined ? (
                <span class="quiet">in progress, not claimed</span>
              ) : (
                <strong>
                  <Text text={task.owner} max={60} />
                </strong>
              )}
            </p>
            <TaskLink specId={id} title={title} task={task} />
          </li>
        ))}
      </ul>
      <h2>Next task of each spec</h2>
      {next.length === 0 && <p class="quiet">No task is ready.</p>}
      <ul class="now-rows">
        {next.map(({ id, title, task }) => (
          <li key={id}>
            <TaskLink specId={id} title={title} task={task} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Done({ now: { specs } }: { readonly now: Now }) {
  const time = useStore(clock);
  const recent = specs
    .flatMap(({ id, title, history }) => history.map((entry) => ({ id, title, ...entry })))
    .filter(({ at }) => time - Date.parse(at) < hourMs)
    .toSorted((a, b) => b.at.localeCompare(a.at));
  return (
    <section class="now-column" aria-labelledby="now-done">
      <h2 id="now-done">
        In the last hour <span class="count">{recent.length}</span>
      </h2>
      {recent.length === 0 && <p class="quiet">Nothing has changed.</p>}
      <ol class="now-rows" aria-live="polite" aria-relevant="additions">
        {recent.slice(0, maxShown).map(({ id, title, revision, author, action, about, at }) => (
          <li key={`${id} ${revision}`}>
            <p class="now-who">
              <strong>
                <Text text={author} max={60} />
              </strong>
              <span class="quiet">
                <Ago at={at} />
              </span>
            </p>
            <a href={specHash(id, "history", { to: revision })}>
              <Text text={action} max={80} /> <Text text={about.slice(0, 3).join(", ")} max={120} />
            </a>
            <p class="quiet">
              <Text text={title} max={80} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Waiting({ now: { specs } }: { readonly now: Now }) {
  const all = specs.flatMap(({ id, title, blocked }) => blocked.map((task) => ({ id, title, task })));
  const blocked = all.filter(({ task }) => task.status === "blocked");
  const waiting = all.filter(({ task }) => task.status !== "blocked");
  const total = specs.reduce((sum, { blockedCount }) => sum + blockedCount, 0);
  return (
    <section class="now-column" aria-labelledby="now-waits">
      <h2 id="now-waits">
        What waits <span class="count">{total}</span>
      </h2>
      {all.length === 0 && <p class="quiet">Nothing waits.</p>}
      <ul class="now-rows">
        {[...blocked, ...waiting].slice(0, maxShown).map(({ id, title, task }) => (
          <li key={`${id} ${task.task_id}`}>
            <TaskLink specId={id} title={title} task={task} />
            <p class={task.status === "blocked" ? "problem" : "quiet"}>
              <Text text={task.blocker?.reason ?? ""} max={200} />
            </p>
          </li>
        ))}
      </ul>
      {total > all.length && <p class="quiet">and {total - all.length} more</p>}
    </section>
  );
}

function TaskLink({
  specId,
  title,
  task,
}: {
  readonly specId: string;
  readonly title: string;
  readonly task: TaskRow;
}) {
  const isWaiting = task.blocker !== undefined && task.status === "pending";
  const state =
    task.status === "blocked" || task.status === "in_progress"
      ? task.status
      : isWaiting
        ? "waiting"
        : "ready";
  return (
    <>
      <a class="now-task" href={specHash(specId, "board", { task: task.task_id })}>
        <StatusMark state={state} />
        <Text text={task.title} max={140} />
      </a>
      <p class="quiet">
        <Text text={task.task_id} max={40} /> in <Text text={title} max={80} />
      </p>
    </>
  );
}
