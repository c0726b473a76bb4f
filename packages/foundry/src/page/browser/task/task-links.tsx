import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { openWorkOf } from "../../../specs/model/verify-scope.ts";
import { runQuickAct } from "../acts/run-act.ts";
import { toDependency } from "../acts/task-edits.ts";
import { workStates } from "../model/work-states.ts";
import { Icon } from "../parts/icon.tsx";
import { StatusMark } from "../parts/status-mark.tsx";
import { Text } from "../parts/text.tsx";
import { setQuery } from "../routes/current-route.ts";
import { canWrite } from "../state/session.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";

const maxShown = 50;

/** What a task waits for, what waits for it, and what it consists of. */
export function TaskLinks({ spec, node }: { readonly spec: LoadedSpec; readonly node: SpecNode }) {
  const { model } = spec;
  const inherited = model
    .ancestry(node.id)
    .slice(1)
    .flatMap(({ blockedBy }) => blockedBy);
  const verified = openWorkOf(model, node);
  return (
    <>
      <LinkList
        spec={spec}
        title="Waits for"
        ids={node.blockedBy}
        onRemove={canWrite() ? (id) => void runQuickAct(toDependency(spec, node, id, "remove")) : undefined}
      />
      <LinkList spec={spec} title="Its phase waits for" ids={inherited} />
      <LinkList
        spec={spec}
        title={`Verifies (${verified?.count ?? 0} open)`}
        ids={verified?.first.map(({ id }) => id) ?? []}
      />
      <LinkList spec={spec} title="Others wait for it" ids={model.dependents.get(node.id) ?? []} />
      <LinkList spec={spec} title="Related" ids={node.depends} />
      <LinkList spec={spec} title="Subtasks" ids={node.children} />
    </>
  );
}

function LinkList({
  spec,
  title,
  ids,
  onRemove,
}: {
  readonly spec: LoadedSpec;
  readonly title: string;
  readonly ids: readonly string[];
  readonly onRemove?: ((id: string) => void) | undefined;
}) {
  if (ids.length === 0) return null;
  const states = workStates(spec.model);
  return (
    <section>
      <h3>{title}</h3>
      <ul class="links">
        {ids.slice(0, maxShown).map((id) => {
          const other = spec.model.node(id);
          return (
            <li key={id}>
              {other === undefined ? (
                <span class="quiet">
                  <Text text={id} max={60} /> (missing)
                </span>
              ) : (
                <button type="button" class="link-row" onClick={() => setQuery({ task: id })}>
                  <StatusMark state={states.get(id) ?? other.status} />
                  <Text text={other.title} max={120} />
                  <span class="task-id">
                    <Text text={id} max={40} />
                  </span>
                </button>
              )}
              {onRemove !== undefined && (
                <button
                  type="button"
                  class="icon-button"
                  aria-label={`Remove the dependency on ${id}`}
                  onClick={() => onRemove(id)}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {ids.length > maxShown && <p class="quiet">and {ids.length - maxShown} more</p>}
    </section>
  );
}
