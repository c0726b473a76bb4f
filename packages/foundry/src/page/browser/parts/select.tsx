import { shortText } from "./visible-text.ts";

/** A filter: one of the values that occur, with the number of their occurrences. A filter without values is not shown. */
export function Select({
  name,
  value,
  options,
  onChange,
}: {
  readonly name: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string, count: number])[];
  readonly onChange: (value: string) => void;
}) {
  if (options.length === 0 && value === "") return null;
  const isListed = value === "" || options.some(([each]) => each === value);
  return (
    <select
      class={value === "" ? "filter" : "filter is-set"}
      aria-label={name}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <option value="">{name}: any</option>
      {!isListed && <option value={value}>{shortText(value, 40)}</option>}
      {options.slice(0, 500).map(([each, text, count]) => (
        <option key={each} value={each}>
          {shortText(text, 40)} ({count})
        </option>
      ))}
    </select>
  );
}
