import { Text } from "../parts/text.tsx";

const maxShown = 600;

/** A value of a field: a text as it is, a list line by line, anything else as JSON. */
export function ValueText({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null || value === "") return <span class="quiet">nothing</span>;
  if (typeof value === "string") return <Text text={value} max={maxShown} />;
  if (Array.isArray(value) && value.length === 0) return <span class="quiet">nothing</span>;
  if (Array.isArray(value) && value.every((each) => typeof each === "string"))
    return (
      <ul class="value-list">
        {value.slice(0, 20).map((each, index) => (
          <li key={index}>
            <Text text={each} max={maxShown} />
          </li>
        ))}
        {value.length > 20 && <li class="quiet">and {value.length - 20} more</li>}
      </ul>
    );
  return <Text text={JSON.stringify(value)} max={maxShown} />;
}
