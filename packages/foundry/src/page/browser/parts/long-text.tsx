import { useState } from "preact/hooks";
import { visibleText } from "./visible-text.ts";

const maxShown = 1_200;

/** A text of several lines. A very long one is shortened until the person wants all of it. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > maxShown * 1.2;
  const shown = isLong && !isWhole ? `${text.slice(0, maxShown).toWellFormed()}…` : text;
  return (
    <div class="long-text" dir="auto">
      {visibleText(shown)}
      {isLong && (
        <button type="button" class="link-button" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all ${text.length} characters`}
        </button>
      )}
    </div>
  );
}
