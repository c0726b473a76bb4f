import { priorities } from "../../../specs/model/known-values.ts";
import { filterNames, filterValues, tasksOf, toFilter } from "../model/filter.ts";
import { counted } from "../parts/counted.ts";
import { Select } from "../parts/select.tsx";
import { setQuery } from "../routes/current-route.ts";
import type { Query } from "../routes/route.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";

/** The filters of a spec's tasks. */
export function FilterBar({ spec, query }: { readonly spec: LoadedSpec; readonly query: Query }) {
  const { model } = spec;
  const values = filterValues(model);
  const byCount = (map: ReadonlyMap<string, number>) =>
    [...map].map(([value, count]) => [value, value, count] as const).toSorted((a, b) => b[2] - a[2]);
  const phases = [...values.phase].map(([id, count]) => [id, model.node(id)?.title ?? id, count] as const);
  const filter = toFilter(model, query);
  const tasks = tasksOf(model);
  const count = filter === undefined ? tasks.length : tasks.filter(filter).length;
  return (
    <div class="filters" role="search" aria-label="Filter tasks">
      <input
        type="search"
        data-filter
        placeholder="Filter tasks"
        aria-label="Filter tasks by title, id, owner or label"
        value={query["q"] ?? ""}
        onInput={({ currentTarget }) => setQuery({ q: currentTarget.value }, "replace")}
        onKeyDown={(event) => event.key === "Escape" && setQuery({ q: "" }, "replace")}
      />
      <Select
        name="Phase"
        value={query["phase"] ?? ""}
        options={phases}
        onChange={(phase) => setQuery({ phase })}
      />
      <Select
        name="Owner"
        value={query["owner"] ?? ""}
        options={byCount(values.owner)}
        onChange={(owner) => setQuery({ owner })}
      />
      <Select
        name="Label"
        value={query["label"] ?? ""}
        options={byCount(values.label)}
        onChange={(label) => setQuery({ label })}
      />
      <Select
        name="Priority"
        value={query["priority"] ?? ""}
        options={priorities.flatMap((each) => {
          const own = values.priority.get(each);
          return own === undefined ? [] : [[each, each, own] as const];
        })}
        onChange={(priority) => setQuery({ priority })}
      />
      <span class="filter-count" role="status">
        {filter === undefined ? "" : `${count} of `}
        {counted(tasks.length, "task")}
      </span>
      {filter !== undefined && (
        <button
          type="button"
          class="link-button"
          onClick={() => setQuery(Object.fromEntries(filterNames.map((name) => [name, ""])))}
        >
          Clear filters
        </button>
      )}
    </div>
  );
}
