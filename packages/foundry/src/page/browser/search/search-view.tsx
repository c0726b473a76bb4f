import { useEffect, useState } from "preact/hooks";
import { type CallError, toRecord, toText } from "../api/envelope.ts";
import { counted } from "../parts/counted.ts";
import { Empty } from "../parts/empty.tsx";
import { ErrorBox } from "../parts/error-box.tsx";
import { Loading } from "../parts/loading.tsx";
import { Text } from "../parts/text.tsx";
import { setQuery } from "../routes/current-route.ts";
import { specHash } from "../routes/route.ts";
import { type SearchHit, searchTexts } from "./search-texts.ts";

interface Found {
  readonly text: string;
  readonly hits: readonly SearchHit[];
  readonly total: number;
  readonly cursor: string | undefined;
  readonly error?: CallError | undefined;
}

const pageSize = 50;
const pauseMs = 200;

/** The search of all texts of all specs. */
export function SearchView({ text }: { readonly text: string }) {
  const [found, setFound] = useState<Found>();
  const asked = text.trim();
  const read = async (cursor?: string, signal?: AbortSignal) => {
    const answer = await searchTexts(asked, pageSize, cursor, signal);
    if (signal?.aborted === true) return;
    if (!answer.ok)
      return setFound({ text: asked, hits: [], total: 0, cursor: undefined, error: answer.error });
    const next = toText(toRecord(toRecord(toRecord(answer.raw)["meta"])["pagination"])["cursor"]);
    setFound((before) => ({
      text: asked,
      hits: cursor === undefined ? answer.data.hits : [...(before?.hits ?? []), ...answer.data.hits],
      total: answer.data.total_count,
      cursor: next === "" ? undefined : next,
    }));
  };
  useEffect(() => {
    if (asked === "") return setFound(undefined);
    const ended = new AbortController();
    const timer = setTimeout(() => void read(undefined, ended.signal), pauseMs);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [asked]);
  return (
    <div class="search-view">
      <h1>Search</h1>
      <input
        type="search"
        data-filter
        aria-label="Words that must all occur in one text"
        placeholder="Words that must all occur in one text"
        value={text}
        onInput={({ currentTarget }) => setQuery({ q: currentTarget.value }, "replace")}
      />
      {found?.error !== undefined && <ErrorBox error={found.error} onRetry={() => void read()} />}
      {asked !== "" && found?.text !== asked && <Loading label="Searching" />}
      {found !== undefined && found.text === asked && found.error === undefined && (
        <>
          <p class="quiet" role="status">
            {found.total === 0
              ? ""
              : `${counted(found.total, "text")} ${found.total === 1 ? "contains" : "contain"} all words`}
          </p>
          {found.total === 0 && <Empty icon="search" title="No text contains all these words" />}
          <ol class="hits">
            {found.hits.map(({ spec_id, task_id, field, title, snippet }, index) => (
              <li key={index}>
                <a href={specHash(spec_id, "board", task_id === undefined ? {} : { task: task_id })}>
                  <Text text={title ?? spec_id} max={200} />
                </a>
                <p class="snippet">
                  <Text text={snippet} max={400} />
                </p>
                <p class="quiet">
                  {field} · <Text text={task_id ?? ""} max={60} /> <Text text={spec_id} max={120} />
                </p>
              </li>
            ))}
          </ol>
          {found.cursor !== undefined && (
            <button type="button" onClick={() => void read(found.cursor)}>
              Show more
            </button>
          )}
        </>
      )}
    </div>
  );
}
