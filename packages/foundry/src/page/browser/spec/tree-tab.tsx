import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { priorityOf } from "../../../specs/model/priority.ts";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { runQuickAct } from "../acts/run-act.ts";
import { toMove } from "../acts/task-edits.ts";
import { handleTaskKey } from "../acts/task-keys.ts";
import { ownerOf } from "../model/filter.ts";
import type { TabProps } from "../model/tab-props.ts";
import { workStates } from "../model/work-states.ts";
import { Bar } from "../parts/bar.tsx";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { StatusMark } from "../parts/status-mark.tsx";
import { Text } from "../parts/text.tsx";
import { WindowedList } from "../parts/windowed-list.tsx";
import { setQuery } from "../routes/current-route.ts";
import { canWrite } from "../state/session.ts";
import { type TreeRow, toTreeRows } from "./tree-rows.ts";

const rowHeight = 38;
/** Larger specs begin with their phases closed. */
const maxOpenAtFirst = 400;

/** The phases and tasks of a spec as a tree. */
export function TreeTab({ spec, query }: TabProps) {
  const { model } = spec;
  const list = useRef<HTMLDivElement>(null);
  const [closed, setClosed] = useState<ReadonlySet<string>>(
    () => new Set(model.order.length > maxOpenAtFirst ? model.phases.map(({ id }) => id) : []),
  );
  const rows = useMemo(() => toTreeRows(model, query, closed), [model, query, closed]);
  const [focused, setFocused] = useState<string>();
  const [hasFocus, setHasFocus] = useState(false);
  const [dragged, setDragged] = useState<SpecNode>();
  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.id === focused),
  );
  const current = rows[at];
  useEffect(() => {
    if (!hasFocus || current === undefined) return;
    const active = document.activeElement;
    if (active !== document.body && !list.current?.contains(active)) return;
    list.current
      ?.querySelector<HTMLElement>(`[data-task="${CSS.escape(current.node.id)}"]`)
      ?.focus({ preventScroll: true });
  }, [current?.node.id, hasFocus]);
  if (rows.length === 0)
    return (
      <Empty
        icon="tree"
        title={model.order.length === 0 ? "This spec has no phases yet" : "No task matches these filters"}
      />
    );

  const setOpen = (id: string, isOpen: boolean) => {
    const next = new Set(closed);
    if (isOpen) next.delete(id);
    else next.add(id);
    setClosed(next);
  };
  const focus = (row: TreeRow | undefined) => {
    if (row === undefined) return;
    setHasFocus(true);
    setFocused(row.node.id);
  };
  const onKey = (event: KeyboardEvent, row: TreeRow) => {
    const { node, isOpen, hasChildren } = row;
    if (!event.altKey && /^(Arrow|Home|End|Enter)/.test(event.key)) {
      event.preventDefault();
      if (event.key === "ArrowDown") focus(rows[at + 1]);
      else if (event.key === "ArrowUp") focus(rows[at - 1]);
      else if (event.key === "Home") focus(rows[0]);
      else if (event.key === "End") focus(rows.at(-1));
      else if (event.key === "ArrowRight" && hasChildren && !isOpen) setOpen(node.id, true);
      else if (event.key === "ArrowRight" && hasChildren) focus(rows[at + 1]);
      else if (event.key === "ArrowLeft" && hasChildren && isOpen) setOpen(node.id, false);
      else if (event.key === "ArrowLeft") focus(rows.find((each) => each.node.id === node.parent));
      else if (event.key === "Enter") setQuery({ task: node.id });
    } else if (handleTaskKey(event, spec, node)) event.preventDefault();
  };
  return (
    <>
      <p class="row tree-buttons">
        <button type="button" class="link-button" onClick={() => setClosed(new Set())}>
          Open all
        </button>
        <button
          type="button"
          class="link-button"
          onClick={() => setClosed(new Set(model.phases.map(({ id }) => id)))}
        >
          Close all
        </button>
      </p>
      <WindowedList
        listRef={list}
        class="tree"
        attributes={{ role: "tree", "aria-label": "Phases and tasks" }}
        count={rows.length}
        heightKey={rows}
        heightOf={() => rowHeight}
        keyOf={(index) => rows[index]?.node.id ?? ""}
        shown={focused === undefined ? undefined : at}
        render={(index) => {
          const row = rows[index];
          return row === undefined ? null : (
            <TreeItem
              row={row}
              tab={{ spec, query }}
              isTabStop={index === at}
              dragged={dragged}
              onKey={onKey}
              onFocus={() => focus(row)}
              onToggle={() => setOpen(row.node.id, !row.isOpen)}
              onDrag={setDragged}
              onDrop={(place) => {
                if (dragged !== undefined) drop({ spec, query }, dragged, row, place);
                setDragged(undefined);
              }}
            />
          );
        }}
      />
    </>
  );
}

type Place = "before" | "inside";

/** Moves a task before the row on which it was dropped, or into the phase. */
function drop({ spec }: TabProps, node: SpecNode, row: TreeRow, place: Place): void {
  const { model } = spec;
  if (row.node.id === node.id || model.subtree(node.id).has(row.node.id)) return;
  const parent = place === "inside" ? row.node.id : row.node.parent;
  if (parent === null) return;
  const siblings = (model.node(parent)?.children ?? []).filter((id) => id !== node.id);
  const position = place === "inside" ? undefined : siblings.indexOf(row.node.id);
  void runQuickAct(toMove(spec, node, parent, position));
}

function TreeItem(props: {
  readonly row: TreeRow;
  readonly tab: TabProps;
  readonly isTabStop: boolean;
  readonly dragged: SpecNode | undefined;
  onKey(event: KeyboardEvent, row: TreeRow): void;
  onFocus(): void;
  onToggle(): void;
  onDrag(node: SpecNode | undefined): void;
  onDrop(place: Place): void;
}) {
  const { row, tab, isTabStop, dragged } = props;
  const { node, depth, isOpen, hasChildren } = row;
  const { spec, query } = tab;
  const [isOver, setOver] = useState(false);
  const isPhase = node.type === "phase" || node.type === "group";
  const place: Place = isPhase ? "inside" : "before";
  const tally = spec.model.tally(node.id);
  const claim = spec.claims.get(node.id);
  const priority = priorityOf(node.metadata);
  const classes = [
    "tree-row",
    isPhase ? "is-phase" : "",
    query["task"] === node.id ? "is-open" : "",
    spec.touched.has(node.id) ? "is-touched" : "",
    isOver && dragged !== undefined ? `drop-${place}` : "",
  ];
  return (
    <div
      class={classes.filter((each) => each !== "").join(" ")}
      role="treeitem"
      aria-level={depth}
      aria-setsize={row.siblings}
      aria-posinset={row.position}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={query["task"] === node.id}
      tabIndex={isTabStop ? 0 : -1}
      data-task={node.id}
      style={{ paddingInlineStart: `${(depth - 1) * 22 + 8}px` }}
      draggable={canWrite() && !isPhase}
      onKeyDown={(event) => props.onKey(event, row)}
      onFocus={props.onFocus}
      onClick={() => setQuery({ task: node.id })}
      onDragStart={(event) => {
        event.dataTransfer?.setData("text/plain", node.id);
        props.onDrag(node);
      }}
      onDragEnd={() => props.onDrag(undefined)}
      onDragOver={(event) => {
        if (dragged === undefined) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        props.onDrop(place);
      }}
    >
      {hasChildren ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys of the tree do the same
        <span
          class={isOpen ? "twisty is-open" : "twisty"}
          onClick={(event) => {
            event.stopPropagation();
            props.onToggle();
          }}
        >
          <Icon name="chevron" />
        </span>
      ) : (
        <span class="twisty" />
      )}
      <StatusMark state={workStates(spec.model).get(node.id) ?? node.status} />
      <span class="tree-title">
        <Text text={node.title} max={160} />
      </span>
      <span class="tree-facts">
        {claim !== undefined && (
          <span class="tag held-tag">
            <Icon name="lock" />
            <Text text={claim.holder} max={24} />
          </span>
        )}
        {priority !== undefined && <span class={`tag priority-${priority}`}>{priority}</span>}
        {ownerOf(node) !== "" && <Text text={ownerOf(node)} max={24} />}
        {hasChildren && (
          <>
            <Bar {...tally} label={`Progress of ${node.id}`} />
            <span class="numbers">
              {tally.completed}/{tally.total}
            </span>
          </>
        )}
        <span class="task-id">
          <Text text={node.id} max={30} />
        </span>
      </span>
    </div>
  );
}
