import { useState } from "preact/hooks";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { Text } from "../parts/text.tsx";
import { Ago } from "../parts/time.tsx";
import { specHash } from "../routes/route.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { useHistory } from "../state/use-history.ts";

const firstShown = 5;

/** The revisions that changed a task. The server names the first tasks of each change, which is enough here. */
export function TaskHistory({ spec, node }: { readonly spec: LoadedSpec; readonly node: SpecNode }) {
  const { entries } = useHistory(spec, 200);
  const [isWhole, setWhole] = useState(false);
  const own = entries.filter(({ about }) => about.includes(node.id));
  if (own.length === 0) return null;
  return (
    <section>
      <h3>History</h3>
      <ol class="task-history">
        {(isWhole ? own : own.slice(0, firstShown)).map(({ revision, action, author, at }) => (
          <li key={revision}>
            <a href={specHash(spec.id, "history", { to: revision })}>
              <Text text={action} max={80} />
            </a>
            <span class="quiet">
              <Text text={author} max={60} /> <Ago at={at} />
            </span>
          </li>
        ))}
      </ol>
      {own.length > firstShown && !isWhole && (
        <button type="button" class="link-button" onClick={() => setWhole(true)}>
          Show all {own.length}
        </button>
      )}
    </section>
  );
}
