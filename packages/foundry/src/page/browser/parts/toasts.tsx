import { useStore } from "../state/store.ts";
import { hideToast, toasts } from "../state/toasts.ts";
import { Icon } from "./icon.tsx";
import { Text } from "./text.tsx";

/** The messages about what was done, with the way back. */
export function Toasts() {
  const shown = useStore(toasts);
  return (
    <div class="toasts" role="region" aria-label="Messages" aria-live="polite">
      {shown.map(({ id, kind, text, more, button }) => (
        <div key={id} class={`toast toast-${kind}`}>
          <div>
            <p>
              <Text text={text} max={300} />
            </p>
            {more !== undefined && more !== "" && (
              <p class="toast-more">
                <Text text={more} max={500} />
              </p>
            )}
          </div>
          {button !== undefined && (
            <button
              type="button"
              onClick={() => {
                hideToast(id);
                button.run();
              }}
            >
              {button.text}
            </button>
          )}
          <button
            type="button"
            class="icon-button"
            aria-label="Dismiss message"
            onClick={() => hideToast(id)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
