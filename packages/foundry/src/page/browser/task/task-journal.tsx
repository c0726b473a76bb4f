import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { toText } from "../api/envelope.ts";
import { LongText } from "../parts/long-text.tsx";
import { Text } from "../parts/text.tsx";
import { Ago } from "../parts/time.tsx";
import type { LoadedSpec } from "../state/spec-cache.ts";

const maxShown = 30;

/** The journal of a task, newest first. */
export function TaskJournal({ spec, node }: { readonly spec: LoadedSpec; readonly node: SpecNode }) {
  const entries = spec.model.journal.filter(({ task_id }) => task_id === node.id).toReversed();
  if (entries.length === 0) return null;
  return (
    <section>
      <h3>Journal</h3>
      <ol class="journal">
        {entries.slice(0, maxShown).map((entry, index) => (
          <li key={index}>
            <p class="row">
              <strong>
                <Text text={toText(entry["title"])} max={200} />
              </strong>
              <span class="quiet">
                <Text text={toText(entry["author"])} max={60} /> <Ago at={toText(entry["timestamp"])} />
              </span>
            </p>
            <LongText text={toText(entry["content"])} />
          </li>
        ))}
      </ol>
      {entries.length > maxShown && <p class="quiet">and {entries.length - maxShown} older entries</p>}
    </section>
  );
}
