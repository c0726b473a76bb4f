import { useState } from "preact/hooks";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { canDrop, type DropTarget } from "../acts/drop.ts";
import { counted } from "../parts/counted.ts";
import { StatusMark, stateNames } from "../parts/status-mark.tsx";
import { Text } from "../parts/text.tsx";
import { WindowedList } from "../parts/windowed-list.tsx";
import type { LoadedSpec } from "../state/spec-cache.ts";
import type { Column, ColumnState } from "./board-columns.ts";
import { TaskCard } from "./task-card.tsx";

const phaseHeight = 34;
const cardHeight = 104;

/** One column of the board. */
export function BoardColumn(props: {
  readonly state: ColumnState;
  readonly column: Column;
  readonly spec: LoadedSpec;
  readonly openTask: string | undefined;
  /** The task that the Tab key reaches. */
  readonly focused: string | undefined;
  /** True if the person has chosen that task, so that it takes the focus when it is rendered. */
  readonly hasFocus: boolean;
  readonly isOnly: boolean;
  /** True if the filters leave tasks out. */
  readonly isFiltered: boolean;
  readonly dragged: SpecNode | undefined;
  onFocus(id: string): void;
  onKey(event: KeyboardEvent, node: SpecNode): void;
  onOpen(id: string): void;
  onDrag(node: SpecNode | undefined): void;
  onDrop(target: DropTarget): void;
}) {
  const { state, column, spec, focused, dragged } = props;
  const [isOver, setOver] = useState(false);
  const { rows, tasks } = column;
  const shown = rows.findIndex((row) => row.kind === "task" && row.task.id === focused);
  const isTarget = dragged !== undefined && canDrop(spec, dragged, { state });
  const classes = [
    "column",
    `column-${state}`,
    props.isOnly ? "is-only" : "",
    isTarget ? "is-target" : "",
    isTarget && isOver ? "is-over" : "",
  ];
  return (
    <section
      class={classes.filter((each) => each !== "").join(" ")}
      aria-label={`${stateNames[state]}, ${counted(tasks.length, "task")}`}
      onDragOver={(event) => {
        if (!isTarget) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const phase = (event.target as HTMLElement).closest<HTMLElement>("[data-phase]")?.dataset["phase"];
        props.onDrop({ state, ...(phase === undefined ? {} : { phase }) });
      }}
    >
      <h2 class="column-title">
        <StatusMark state={state} />
        <span aria-hidden="true">{stateNames[state]}</span>
        <span class="count">{tasks.length}</span>
      </h2>
      {tasks.length === 0 ? (
        <p class="column-empty">{props.isFiltered ? "No task matches the filter" : emptyTexts[state]}</p>
      ) : (
        <WindowedList
          class="column-list"
          attributes={{ role: "list", "aria-label": `${stateNames[state]} tasks` }}
          count={rows.length}
          heightKey={rows}
          heightOf={(index) => (rows[index]?.kind === "phase" ? phaseHeight : cardHeight)}
          keyOf={(index) => toKey(rows[index])}
          shown={shown === -1 ? undefined : shown}
          render={(index) => {
            const row = rows[index];
            if (row === undefined) return null;
            if (row.kind === "phase")
              return (
                <div class="board-phase" role="listitem" data-phase={row.phase.id}>
                  <Text text={row.phase.title} max={80} />
                  <span class="count">{row.count}</span>
                </div>
              );
            const { task } = row;
            return (
              <TaskCard
                spec={spec}
                node={task}
                index={row.index}
                count={tasks.length}
                isOpen={props.openTask === task.id}
                isTabStop={focused === task.id}
                takesFocus={props.hasFocus && focused === task.id}
                onFocus={props.onFocus}
                onKey={props.onKey}
                onOpen={props.onOpen}
                onDrag={props.onDrag}
              />
            );
          }}
        />
      )}
    </section>
  );
}

const emptyTexts: Readonly<Record<ColumnState, string>> = {
  ready: "Nothing can be started now",
  waiting: "Nothing waits for other tasks",
  in_progress: "Nobody works on a task",
  blocked: "Nothing is blocked",
  completed: "Nothing is completed yet",
};

function toKey(row: Column["rows"][number] | undefined): string {
  if (row === undefined) return "";
  return row.kind === "phase" ? `phase ${row.phase.id}` : `task ${row.task.id}`;
}
