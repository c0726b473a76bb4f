import { useEffect, useRef } from "preact/hooks";
import { toBlocker } from "../../../specs/model/blocker.ts";
import { openBlockers } from "../../../specs/model/dependencies.ts";
import { priorityOf } from "../../../specs/model/priority.ts";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { openWorkOf } from "../../../specs/model/verify-scope.ts";
import { labelsOf, ownerOf, phaseLookup } from "../model/filter.ts";
import { Icon } from "../parts/icon.tsx";
import { Text } from "../parts/text.tsx";
import { Left } from "../parts/time.tsx";
import { currentRoute } from "../routes/current-route.ts";
import { toHash } from "../routes/route.ts";
import { isActive } from "../state/claims.ts";
import { clock } from "../state/clock.ts";
import { canWrite } from "../state/session.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";

/** A task on the board. */
export function TaskCard(props: {
  readonly spec: LoadedSpec;
  readonly node: SpecNode;
  readonly index: number;
  readonly count: number;
  readonly isOpen: boolean;
  readonly isTabStop: boolean;
  readonly takesFocus: boolean;
  onFocus(id: string): void;
  onKey(event: KeyboardEvent, node: SpecNode): void;
  onOpen(id: string): void;
  onDrag(node: SpecNode | undefined): void;
}) {
  const { spec, node, index, count } = props;
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const active = document.activeElement;
    // Only a focus that is on the board moves: not one in a dialog or in the panel of a task.
    if (props.takesFocus && (active === document.body || active?.closest(".board") !== null))
      link.current?.focus({ preventScroll: true });
  }, [props.takesFocus]);
  const priority = priorityOf(node.metadata);
  const claim = spec.claims.get(node.id);
  const route = currentRoute.get();
  const classes = [
    "card",
    props.isOpen ? "is-open" : "",
    spec.touched.has(node.id) ? "is-touched" : "",
    node.status === "completed" ? "is-completed" : "",
  ];
  return (
    <div
      class={classes.filter((each) => each !== "").join(" ")}
      role="listitem"
      aria-setsize={count}
      aria-posinset={index + 1}
      data-phase={phaseLookup(spec.model)(node.id)?.id}
      draggable={canWrite()}
      onDragStart={(event) => {
        event.dataTransfer?.setData("text/plain", node.id);
        props.onDrag(node);
      }}
      onDragEnd={() => props.onDrag(undefined)}
    >
      <a
        ref={link}
        class="card-title"
        data-task={node.id}
        href={toHash({ ...route, query: { ...route.query, task: node.id } })}
        tabIndex={props.isTabStop ? 0 : -1}
        aria-current={props.isOpen ? "true" : undefined}
        draggable={false}
        onFocus={() => props.onFocus(node.id)}
        onKeyDown={(event) => props.onKey(event, node)}
      >
        <Text text={node.title} max={160} />
      </a>
      <p class="card-facts">
        <span class="task-id">
          <Text text={node.id} max={40} />
        </span>
        {node.type !== "task" && node.type !== "subtask" && <span class="tag">{node.type}</span>}
        {priority !== undefined && <span class={`tag priority-${priority}`}>{priority}</span>}
        {labelsOf(node)
          .slice(0, 2)
          .map((label) => (
            <span key={label} class="tag">
              <Text text={label} max={24} />
            </span>
          ))}
        {labelsOf(node).length > 2 && <span class="tag">+{labelsOf(node).length - 2}</span>}
      </p>
      <CardFoot
        spec={spec}
        node={node}
        holder={claim !== undefined && isActive(claim, clock.get()) ? claim : undefined}
      />
    </div>
  );
}

function CardFoot({
  spec,
  node,
  holder,
}: {
  readonly spec: LoadedSpec;
  readonly node: SpecNode;
  readonly holder: { readonly holder: string; readonly lease_until: string } | undefined;
}) {
  const owner = ownerOf(node);
  if (holder !== undefined)
    return (
      <p class="card-foot is-held">
        <Icon name="lock" />
        <Text text={holder.holder} max={40} /> <Left until={holder.lease_until} />
      </p>
    );
  const reason = node.status === "blocked" ? toBlocker(node.metadata).reason : "";
  if (reason !== "")
    return (
      <p class="card-foot is-blocked">
        <Text text={reason} max={90} />
      </p>
    );
  const blockers = node.status === "pending" ? openBlockers(spec.model, node.id) : [];
  if (blockers.length > 0)
    return (
      <p class="card-foot">
        <Icon name="clock" />
        waits for <Text text={blockers[0]?.id ?? ""} max={40} />
        {blockers.length > 1 && ` +${blockers.length - 1}`}
      </p>
    );
  if (node.status === "pending" && openWorkOf(spec.model, node) !== undefined)
    return (
      <p class="card-foot">
        <Icon name="clock" />
        waits for what it verifies
      </p>
    );
  if (owner !== "")
    return (
      <p class="card-foot">
        <Icon name="person" />
        <Text text={owner} max={40} />
      </p>
    );
  return null;
}
