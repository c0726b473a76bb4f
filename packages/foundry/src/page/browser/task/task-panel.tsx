import { useEffect, useRef } from "preact/hooks";
import { toBlocker } from "../../../specs/model/blocker.ts";
import { openDependencies } from "../../../specs/model/dependencies.ts";
import { recordsOf } from "../../../specs/model/evidence/verification-record.ts";
import { priorityOf } from "../../../specs/model/priority.ts";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { openDialog } from "../acts/dialogs.ts";
import { handleTaskKey } from "../acts/task-keys.ts";
import { toList, toRecord, toText } from "../api/envelope.ts";
import { labelsOf, ownerOf, phaseLookup } from "../model/filter.ts";
import { workStates } from "../model/work-states.ts";
import { copy } from "../parts/copy.ts";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { LongText } from "../parts/long-text.tsx";
import { Menu } from "../parts/menu.tsx";
import { StatusMark } from "../parts/status-mark.tsx";
import { Text } from "../parts/text.tsx";
import { Ago, Left } from "../parts/time.tsx";
import { isActive } from "../state/claims.ts";
import { clock } from "../state/clock.ts";
import { canWrite } from "../state/session.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { useStore } from "../state/store.ts";
import { Evidence } from "./evidence.tsx";
import { TaskActs } from "./task-acts.tsx";
import { TaskHistory } from "./task-history.tsx";
import { TaskJournal } from "./task-journal.tsx";
import { TaskLinks } from "./task-links.tsx";

/** Everything about one task, beside the view in which it was opened. */
export function TaskPanel({
  spec,
  taskId,
  onClose,
}: {
  readonly spec: LoadedSpec;
  readonly taskId: string;
  readonly onClose: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const node = spec.model.node(taskId);
  const close = () => {
    onClose();
    document.querySelector<HTMLElement>(`[data-task="${CSS.escape(taskId)}"]`)?.focus();
  };
  useEffect(() => heading.current?.focus(), []);
  return (
    <aside
      class="task-panel"
      aria-labelledby="task-title"
      onKeyDown={(event) => {
        if (event.defaultPrevented) return;
        const isField = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName);
        if (event.key === "Escape") close();
        else if (isField || node === undefined || !handleTaskKey(event, spec, node)) return;
        event.preventDefault();
      }}
    >
      <div class="panel-bar">
        <span class="task-id">
          <Text text={taskId} max={60} />
        </span>
        <span class="spacer" />
        {node !== undefined && <TaskMenu spec={spec} node={node} />}
        <button
          type="button"
          class="icon-button"
          aria-label="Close the task"
          title="Close (Escape)"
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </div>
      <div class="panel-scroll">
        <h2 id="task-title" ref={heading} tabIndex={-1}>
          <Text text={node?.title ?? taskId} max={1_000} />
        </h2>
        {node === undefined ? (
          <Empty icon="file" title="This spec has no such task">
            <p>It may have been removed. The history shows when, and by whom.</p>
          </Empty>
        ) : (
          <TaskBody spec={spec} node={node} />
        )}
      </div>
    </aside>
  );
}

function TaskMenu({ spec, node }: { readonly spec: LoadedSpec; readonly node: SpecNode }) {
  const on = { specId: spec.id, taskId: node.id };
  return (
    <Menu
      label="More for this task"
      items={[
        ...(canWrite()
          ? [
              { text: "Edit…", hint: "e", run: () => openDialog.set({ kind: "edit-task", ...on }) },
              { text: "Move…", hint: "m", run: () => openDialog.set({ kind: "move-task", ...on }) },
              {
                text: "Add subtask…",
                run: () => openDialog.set({ kind: "add-task", specId: spec.id, parent: node.id }),
              },
              { text: "Add dependency…", run: () => openDialog.set({ kind: "add-dependency", ...on }) },
            ]
          : []),
        { text: "Copy the id", run: () => void copy(node.id, "the id") },
        { text: "Copy the address", run: () => void copy(location.href, "the address") },
        ...(canWrite()
          ? [
              {
                text: "Remove…",
                isDangerous: true,
                run: () => openDialog.set({ kind: "remove-task", ...on }),
              },
            ]
          : []),
      ]}
    >
      <Icon name="more" />
    </Menu>
  );
}

function TaskBody({ spec, node }: { readonly spec: LoadedSpec; readonly node: SpecNode }) {
  const now = useStore(clock);
  const { model } = spec;
  const { metadata } = node;
  const state = workStates(model).get(node.id) ?? "ready";
  const claim = spec.claims.get(node.id);
  const phase = phaseLookup(model)(node.id);
  const waits = node.status === "completed" ? [] : [...openDependencies(model, node.id).values()];
  const blocker = node.status === "blocked" ? toBlocker(metadata) : undefined;
  const description = toText(metadata["description"]) || toText(node.raw["description"]);
  const criteria = toList(metadata["acceptance_criteria"]).filter((each) => typeof each === "string");
  const facts: readonly (readonly [name: string, value: string])[] = [
    ["Owner", ownerOf(node)],
    ["Priority", priorityOf(metadata) ?? ""],
    ["Category", toText(metadata["task_category"])],
    ["File", toText(metadata["file_path"])],
    ["Estimate", hours(metadata["estimated_hours"])],
    ["Took", hours(metadata["actual_hours"])],
    ["Found during", toText(metadata["discovered_from"])],
  ];
  return (
    <>
      <p class="panel-state">
        <StatusMark state={state} isNamed />
        {node.type !== "task" && <span class="tag">{node.type}</span>}
        {phase !== undefined && phase.id !== node.id && (
          <span class="quiet">
            in <Text text={phase.title} max={80} />
          </span>
        )}
        {typeof metadata["completed_at"] === "string" && node.status === "completed" && (
          <Ago at={metadata["completed_at"]} />
        )}
      </p>
      {claim !== undefined && (
        <p class={isActive(claim, now) ? "held" : "held is-expired"}>
          <Icon name="lock" />
          <span>
            {isActive(claim, now) ? "Claimed by " : "The claim has expired of "}
            <strong>
              <Text text={claim.holder} max={80} />
            </strong>
            , <Left until={claim.lease_until} />, since <Ago at={claim.since} />
          </span>
        </p>
      )}
      {blocker !== undefined && (
        <div class="blocked-box">
          <strong>Blocked{blocker.type === undefined ? "" : ` (${blocker.type})`}</strong>
          <LongText text={blocker.reason || "No reason was given."} />
          {blocker.ticket !== undefined && (
            <p>
              Ticket: <Text text={blocker.ticket} max={200} />
            </p>
          )}
        </div>
      )}
      {canWrite() && <TaskActs spec={spec} node={node} isWaiting={waits.length > 0} />}
      {description !== "" && (
        <section>
          <h3>What to do</h3>
          <LongText text={description} />
        </section>
      )}
      {criteria.length > 0 && (
        <section>
          <h3>Done when</h3>
          <ul class="criteria">
            {criteria.slice(0, 200).map((each, index) => (
              <li key={index}>
                <LongText text={String(each)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {(labelsOf(node).length > 0 || facts.some(([, value]) => value !== "")) && (
        <dl class="facts">
          {facts
            .filter(([, value]) => value !== "")
            .map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Text text={value} max={300} />
                </dd>
              </div>
            ))}
          {labelsOf(node).length > 0 && (
            <div>
              <dt>Labels</dt>
              <dd class="tags">
                {labelsOf(node).map((label) => (
                  <span key={label} class="tag">
                    <Text text={label} max={60} />
                  </span>
                ))}
              </dd>
            </div>
          )}
        </dl>
      )}
      <TaskLinks spec={spec} node={node} />
      {(node.type === "verify" || recordsOf(node).length > 0) && <Evidence node={node} />}
      <TaskJournal spec={spec} node={node} />
      <TaskHistory spec={spec} node={node} />
      <Others metadata={toRecord(metadata)} />
    </>
  );
}

/** The fields of a task that the panel shows in their own places. */
const shownFields: ReadonlySet<string> = new Set([
  ...[
    "owner",
    "priority",
    "labels",
    "task_category",
    "file_path",
    "estimated_hours",
    "actual_hours",
    "description",
  ],
  ...["acceptance_criteria", "started_at", "completed_at", "journaled_at", "needs_journaling", "blocked_at"],
  ...[
    "blocker_type",
    "blocker_description",
    "blocker_ticket",
    "verification_history",
    "discovered_from",
    "last_verified_at",
  ],
]);

/** The fields that other programs have written, so that nothing of a file is hidden. */
function Others({ metadata }: { readonly metadata: Readonly<Record<string, unknown>> }) {
  const fields = Object.entries(metadata).filter(
    ([name, value]) => !shownFields.has(name) && value !== "" && value !== null,
  );
  if (fields.length === 0) return null;
  return (
    <details class="more-fields">
      <summary>More fields</summary>
      <dl class="facts">
        {fields.slice(0, 100).map(([name, value]) => (
          <div key={name}>
            <dt>
              <Text text={name} max={60} />
            </dt>
            <dd>
              <LongText text={typeof value === "string" ? value : JSON.stringify(value, null, 2)} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function hours(value: unknown): string {
  return typeof value === "number" && value > 0 ? `${value} h` : "";
}
