import type { NodeStatus } from "../../../specs/model/spec-document.ts";

/** The state of a task as the page shows it. A pending task is either ready or waits for other work. */
export type WorkState = "ready" | "waiting" | "in_progress" | "blocked" | "completed";

/** The names of the states. */
export const stateNames: Readonly<Record<WorkState | NodeStatus, string>> = {
  pending: "Pending",
  ready: "Ready",
  waiting: "Waiting",
  in_progress: "In progress",
  blocked: "Blocked",
  completed: "Completed",
};

/** The state of a task as a shape, so that it can be told without its colour. */
export function StatusMark({
  state,
  isNamed = false,
}: {
  readonly state: WorkState | NodeStatus;
  readonly isNamed?: boolean;
}) {
  const name = stateNames[state];
  return (
    <span class={`status status-${state}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        {shapeOf(state)}
      </svg>
      <span class={isNamed ? "status-name" : "hidden-text"}>{name}</span>
    </span>
  );
}

function shapeOf(state: WorkState | NodeStatus) {
  switch (state) {
    case "completed":
      return (
        <>
          <circle cx="8" cy="8" r="7" class="solid" />
          <path d="m4.8 8.3 2.2 2.2 4.2-4.6" class="inverse" />
        </>
      );
    case "in_progress":
      return (
        <>
          <circle cx="8" cy="8" r="6" class="ring" />
          <path d="M8 4a4 4 0 0 1 0 8z" class="solid" />
        </>
      );
    case "blocked":
      return (
        <>
          <circle cx="8" cy="8" r="6" class="ring" />
          <path d="m4 12 8-8" class="ring" />
        </>
      );
    case "waiting":
      return <circle cx="8" cy="8" r="6" class="ring dashed" />;
    default:
      return <circle cx="8" cy="8" r="6" class="ring" />;
  }
}
