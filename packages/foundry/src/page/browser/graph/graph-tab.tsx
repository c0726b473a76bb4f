import { useMemo, useState } from "preact/hooks";
import { analyzeDependencies } from "../../../specs/model/analyze/analyze-dependencies.ts";
import { phaseLookup, tasksOf } from "../model/filter.ts";
import type { TabProps } from "../model/tab-props.ts";
import { workStates } from "../model/work-states.ts";
import { Bar } from "../parts/bar.tsx";
import { counted } from "../parts/counted.ts";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { StatusMark } from "../parts/status-mark.tsx";
import { Text } from "../parts/text.tsx";
import { currentRoute, setQuery } from "../routes/current-route.ts";
import { toHash } from "../routes/route.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { type GraphBox, layoutGraph } from "./layout-graph.ts";
import { toWorkOrder } from "./ranks.ts";

/** Larger specs begin with their phases folded. */
const maxOpenAtFirst = 60;
const maxChain = 40;

/** What waits for what: a lane for each phase, from left to right in the order in which work can be done. */
export function GraphTab({ spec, query }: TabProps) {
  const { model } = spec;
  const isSmall = tasksOf(model).length <= maxOpenAtFirst;
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const phaseOf = phaseLookup(model);
  const analysis = useMemo(() => analyzeDependencies(model), [model]);
  const { criticalPath } = toWorkOrder(model);
  const critical = new Set(criticalPath);
  const open = useMemo(() => {
    const tops = new Set(tasksOf(model).map(({ id }) => phaseOf(id)?.id ?? ""));
    return new Set([...tops].filter((id) => isSmall !== toggled.has(id)));
  }, [model, isSmall, toggled]);
  const graph = useMemo(() => layoutGraph(model, open), [model, open]);
  const toggle = (id: string) => {
    const next = new Set(toggled);
    if (!next.delete(id)) next.add(id);
    setToggled(next);
  };
  if (graph.lanes.length === 0) return <Empty icon="graph" title="This spec has no tasks yet" />;
  return (
    <div class="graph-view">
      <Path spec={spec} chain={criticalPath} />
      {analysis.has_cycles && (
        <div class="notice" role="alert">
          <strong>These wait for each other, so that none can begin:</strong>
          {analysis.circular_deps.slice(0, 3).map((cycle) => (
            <p key={cycle.join(" ")}>{cycle.slice(0, 12).join(" → ")}</p>
          ))}
        </div>
      )}
      <div class="graph-scroll" tabIndex={0} role="region" aria-label="Graph of dependencies">
        <div class="graph" style={{ width: `${graph.width}px`, height: `${graph.height}px` }}>
          {graph.lanes.map(({ phase, isOpen, y, height }) => (
            <section
              key={phase.id}
              class="lane"
              aria-label={`Phase ${phase.id}`}
              style={{ top: `${y}px`, height: `${height}px` }}
            >
              <button
                type="button"
                class="lane-title"
                aria-expanded={isOpen}
                onClick={() => toggle(phase.id)}
              >
                <span class={isOpen ? "twisty is-open" : "twisty"}>
                  <Icon name="chevron" />
                </span>
                <Text text={phase.title} max={80} />
                <span class="numbers">
                  {model.tally(phase.id).completed}/{model.tally(phase.id).total}
                </span>
              </button>
            </section>
          ))}
          <svg class="graph-edges" width={graph.width} height={graph.height} aria-hidden="true">
            <defs>
              <marker
                id="arrow"
                viewBox="0 0 8 8"
                refX="6"
                refY="4"
                markerWidth="7"
                markerHeight="7"
                orient="auto"
              >
                <path d="M0 0.5 7 4 0 7.5z" />
              </marker>
              <marker
                id="arrow-critical"
                class="is-critical"
                viewBox="0 0 8 8"
                refX="6"
                refY="4"
                markerWidth="6"
                markerHeight="6"
                orient="auto"
              >
                <path d="M0 0.5 7 4 0 7.5z" />
              </marker>
            </defs>
            {graph.edges.map(({ key, path, kind }) => (
              <path
                key={key}
                d={path}
                class={`edge is-${kind}`}
                marker-end={kind === "critical" ? "url(#arrow-critical)" : "url(#arrow)"}
              />
            ))}
          </svg>
          {graph.boxes.map((box) => (
            <Box
              key={box.id}
              box={box}
              spec={spec}
              isCritical={critical.has(box.id)}
              isOpen={query["task"] === box.id}
              onToggle={() => toggle(box.node.id)}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function Box({
  box,
  spec,
  isCritical,
  isOpen,
  onToggle,
}: {
  readonly box: GraphBox;
  readonly spec: LoadedSpec;
  readonly isCritical: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const { node, kind, x, y, width, height, count } = box;
  const style = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
  const classes = `graph-box is-${kind}${isCritical ? " is-critical" : ""}${isOpen ? " is-open" : ""}`;
  if (kind === "rest")
    return (
      <span class={classes} style={style}>
        and {counted(count, "more task")}
      </span>
    );
  const state = workStates(spec.model).get(node.id) ?? node.status;
  if (kind === "phase")
    return (
      <button
        type="button"
        class={classes}
        style={style}
        onClick={onToggle}
        aria-label={`Show the ${counted(count, "task")} of ${node.title.slice(0, 100)}`}
      >
        <StatusMark state={state} />
        <span>{counted(count, "task")}</span>
        <Bar {...spec.model.tally(node.id)} label={`Progress of ${node.id}`} />
      </button>
    );
  const route = currentRoute.get();
  return (
    <a
      class={`${classes} status-${state}`}
      style={style}
      data-task={node.id}
      href={toHash({ ...route, query: { ...route.query, task: node.id } })}
    >
      <StatusMark state={state} />
      <span class="graph-title">
        <Text text={node.title} max={90} />
      </span>
    </a>
  );
}

/** The critical path as a list, for everybody who does not see the graph. */
function Path({ spec, chain }: { readonly spec: LoadedSpec; readonly chain: readonly string[] }) {
  const { model } = spec;
  const states = workStates(model);
  if (chain.length < 2) return <p class="quiet">Nothing in this spec waits for anything else.</p>;
  const left = chain.filter((id) => model.node(id)?.status !== "completed").length;
  return (
    <section class="critical" aria-labelledby="critical-title">
      <h2 id="critical-title">
        Critical path <span class="count">{chain.length}</span>
      </h2>
      <p class="quiet">
        The longest chain of tasks in which each waits for the one before it.{" "}
        {left === 0 ? "All of it is completed." : `${left} are left.`}
      </p>
      <ol>
        {chain.slice(0, maxChain).map((id) => (
          <li key={id}>
            <button type="button" class="link-row" onClick={() => setQuery({ task: id })}>
              <StatusMark state={states.get(id) ?? "ready"} />
              <Text text={model.node(id)?.title ?? id} max={60} />
            </button>
          </li>
        ))}
        {chain.length > maxChain && <li class="quiet">and {chain.length - maxChain} more</li>}
      </ol>
    </section>
  );
}
