import { useState } from "preact/hooks";
import type { TabProps } from "../model/tab-props.ts";
import { Empty } from "../parts/empty.tsx";
import { ErrorBox } from "../parts/error-box.tsx";
import { Loading } from "../parts/loading.tsx";
import { Text } from "../parts/text.tsx";
import { Ago } from "../parts/time.tsx";
import { setQuery } from "../routes/current-route.ts";
import { useHistory } from "../state/use-history.ts";
import { DiffView } from "./diff-view.tsx";

const pageSize = 50;
const maxRead = 500;

/** The revisions of a spec, and what differs between two of them. */
export function HistoryTab({ spec, query }: TabProps) {
  const [limit, setLimit] = useState(pageSize);
  const { entries, total, isReady, error } = useHistory(spec, limit);
  if (!isReady) return <Loading label="Reading the history" rows={8} />;
  if (error !== undefined && entries.length === 0) return <ErrorBox error={error} />;
  if (entries.length === 0) return <Empty icon="history" title="No revisions are kept for this spec" />;
  const to = query["to"] ?? entries[0]?.revision ?? "";
  const index = entries.findIndex(({ revision }) => revision === to);
  const from = query["from"] ?? entries[index + 1]?.revision ?? "";
  return (
    <div class="history">
      <section class="revisions" aria-labelledby="revisions-title">
        <h2 id="revisions-title">
          Revisions <span class="count">{total}</span>
        </h2>
        <ol>
          {entries.map(({ revision, at, author, action, about }) => (
            <li
              key={revision}
              class={
                revision === to ? "revision is-open" : revision === from ? "revision is-from" : "revision"
              }
            >
              <button
                type="button"
                class="revision-button"
                aria-current={revision === to ? "true" : undefined}
                onClick={() => setQuery({ to: revision, from: "" })}
              >
                <span class="revision-number">{revision.split("-")[0]}</span>
                <span class="revision-text">
                  <span>
                    <Text text={action} max={80} />{" "}
                    {about.slice(0, 3).map((id) => (
                      <span key={id} class="task-id">
                        <Text text={id} max={30} />{" "}
                      </span>
                    ))}
                  </span>
                  <small>
                    <Text text={author} max={60} /> <Ago at={at} />
                  </small>
                </span>
              </button>
              {revision !== to && (
                <button type="button" class="link-button" onClick={() => setQuery({ from: revision, to })}>
                  Compare
                  <span class="hidden-text"> revision {revision.split("-")[0]} with the shown one</span>
                </button>
              )}
            </li>
          ))}
        </ol>
        {entries.length < total && limit < maxRead && (
          <button type="button" onClick={() => setLimit(Math.min(maxRead, limit + 100))}>
            Show older revisions
          </button>
        )}
      </section>
      <section class="diff" aria-label="Differences">
        {from === "" ? (
          <Empty icon="history" title="This is the oldest revision that is kept" />
        ) : (
          <DiffView spec={spec} from={from} to={to} />
        )}
      </section>
    </div>
  );
}
