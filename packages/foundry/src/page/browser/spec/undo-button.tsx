import { undo } from "../acts/undo.ts";
import { Icon } from "../parts/icon.tsx";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { useHistory } from "../state/use-history.ts";

/** Undoes the last change of a spec. It is off while the spec has no change that could be undone. */
export function UndoButton({ spec }: { readonly spec: LoadedSpec }) {
  const { isReady, error, total } = useHistory(spec, 1);
  const isNothing = isReady && error === undefined && total < 2;
  return (
    <button
      type="button"
      disabled={isNothing}
      onClick={() => void undo(spec.id)}
      title={isNothing ? "This spec has no change to undo" : "Undo your last change of this spec (z)"}
    >
      <Icon name="undo" />
      Undo
    </button>
  );
}
