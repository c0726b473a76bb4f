import { useState } from "preact/hooks";
import { visibleText } from "./visible-text.ts";

const maxShown = 20_000;

/** A JSON value, indented. A long one is shortened until the person wants all of it. */
export function JsonText({ value, label }: { readonly value: unknown; readonly label: string }) {
  const [isWhole, setWhole] = useState(false);
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "undefined");
  const shown = isWhole || text.length <= maxShown ? text : `${text.slice(0, maxShown).toWellFormed()}…`;
  return (
    <>
      <pre class="json" tabIndex={0} aria-label={label} role="region">
        {visibleText(shown)}
      </pre>
      {text.length > maxShown && (
        <button type="button" class="link-button" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all ${text.length} characters`}
        </button>
      )}
    </>
  );
}
