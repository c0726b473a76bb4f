import type { CallError } from "../api/envelope.ts";
import { specHash } from "../routes/route.ts";
import { Text } from "./text.tsx";

/** A failed call: what failed, what helps, and a way to try again. */
export function ErrorBox({
  error,
  onRetry,
  onLeave,
}: {
  readonly error: CallError;
  readonly onRetry?: (() => void) | undefined;
  /** Called when the person goes to the task that the remedy works on. */
  readonly onLeave?: (() => void) | undefined;
}) {
  return (
    <div class="error-box" role="alert">
      <p class="error-title">
        <Text text={error.message} max={600} />
      </p>
      {error.remedy !== "" && (
        <p>
          <Text text={error.remedy} max={800} />
        </p>
      )}
      <p class="row">
        <code>{error.code}</code>
        {error.task !== undefined && (
          <a href={specHash(error.task.specId, "board", { task: error.task.id })} onClick={onLeave}>
            Open <Text text={error.task.id} max={60} />
          </a>
        )}
        {onRetry !== undefined && (
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
}
