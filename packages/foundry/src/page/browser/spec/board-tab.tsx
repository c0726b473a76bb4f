import { useRef, useState } from "preact/hooks";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { openDialog } from "../acts/dialogs.ts";
import { runDrop } from "../acts/drop.ts";
import { handleTaskKey } from "../acts/task-keys.ts";
import { tasksOf, toFilter } from "../model/filter.ts";
import type { TabProps } from "../model/tab-props.ts";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { StatusMark, stateNames, type WorkState } from "../parts/status-mark.tsx";
import { setQuery } from "../routes/current-route.ts";
import { canWrite } from "../state/session.ts";
import { BoardColumn } from "./board-column.tsx";
import { columnStates, toColumns } from "./board-columns.ts";

/** The tasks of a spec in columns by status, in each column by phase. */
export function BoardTab({ spec, query }: TabProps) {
  const columns = toColumns(spec.model, query);
  const [focused, setFocused] = useState<string>();
  const [dragged, setDragged] = useState<SpecNode>();
  const [narrow, setNarrow] = useState<WorkState>();
  const board = useRef<HTMLDivElement>(null);
  if (tasksOf(spec.model).length === 0) return <NoTasks specId={spec.id} />;
  const isFiltered = toFilter(spec.model, query) !== undefined;
  // On a narrow screen there is room for one column. The first with tasks is the one that matters most.
  const only = narrow ?? columnStates.find((state) => columns[state].tasks.length > 0) ?? "ready";
  const all = columnStates.flatMap((state) => columns[state].tasks.map((task) => task.id));
  const current = focused !== undefined && all.includes(focused) ? focused : all[0];

  const move = (node: SpecNode, key: string): boolean => {
    const at = columnStates.findIndex((state) => columns[state].tasks.includes(node));
    const own = columns[columnStates[at] ?? "ready"].tasks;
    const index = own.indexOf(node);
    const to =
      key === "ArrowDown"
        ? own[index + 1]
        : key === "ArrowUp"
          ? own[index - 1]
          : key === "Home"
            ? own[0]
            : key === "End"
              ? own.at(-1)
              : neighbour(columns, at, index, key === "ArrowRight" ? 1 : -1);
    if (to !== undefined) setFocused(to.id);
    if (to !== undefined) setNarrow(columnStates.find((state) => columns[state].tasks.includes(to)));
    return true;
  };
  const onKey = (event: KeyboardEvent, node: SpecNode) => {
    if (/^(Arrow(Up|Down|Left|Right)|Home|End)$/.test(event.key) && !event.altKey) {
      event.preventDefault();
      move(node, event.key);
    } else if (handleTaskKey(event, spec, node)) event.preventDefault();
  };
  return (
    <>
      <div class="column-picker" role="group" aria-label="Column">
        {columnStates.map((state) => (
          <button key={state} type="button" aria-pressed={state === only} onClick={() => setNarrow(state)}>
            <StatusMark state={state} />
            <span>{stateNames[state]}</span>
            <span class="count">{columns[state].tasks.length}</span>
          </button>
        ))}
      </div>
      <div class="board" ref={board}>
        {columnStates.map((state) => (
          <BoardColumn
            key={state}
            state={state}
            column={columns[state]}
            spec={spec}
            openTask={query["task"]}
            focused={current}
            hasFocus={focused !== undefined}
            isOnly={state === only}
            isFiltered={isFiltered}
            dragged={dragged}
            onFocus={setFocused}
            onKey={onKey}
            onOpen={(id) => setQuery({ task: id })}
            onDrag={setDragged}
            onDrop={(target) => {
              if (dragged !== undefined) void runDrop(spec, dragged, target);
              setDragged(undefined);
            }}
          />
        ))}
      </div>
    </>
  );
}

function neighbour(
  columns: ReturnType<typeof toColumns>,
  at: number,
  index: number,
  step: 1 | -1,
): SpecNode | undefined {
  for (let column = at + step; column >= 0 && column < columnStates.length; column += step) {
    const { tasks } = columns[columnStates[column] ?? "ready"];
    if (tasks.length > 0) return tasks[Math.min(index, tasks.length - 1)];
  }
  return undefined;
}

function NoTasks({ specId }: { readonly specId: string }) {
  return (
    <Empty icon="board" title="This spec has no tasks yet">
      <p>A task belongs to a phase. Add a phase first, then what is to be done in it.</p>
      {canWrite() && (
        <p class="row">
          <button type="button" onClick={() => openDialog.set({ kind: "add-phase", specId })}>
            <Icon name="plus" />
            Add phase
          </button>
          <button type="button" class="primary" onClick={() => openDialog.set({ kind: "add-task", specId })}>
            <Icon name="plus" />
            Add task
          </button>
        </p>
      )}
    </Empty>
  );
}
