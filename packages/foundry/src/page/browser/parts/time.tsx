import { clock, timeAgo, timeLeft } from "../state/clock.ts";
import { useStore } from "../state/store.ts";

/** How long ago something happened; the exact time is its title. */
export function Ago({ at }: { readonly at: string }) {
  const now = useStore(clock);
  const text = timeAgo(at, now);
  return text === "" ? null : (
    <time dateTime={at} title={toLocal(at)}>
      {text}
    </time>
  );
}

/** How much time is left. */
export function Left({ until }: { readonly until: string }) {
  const now = useStore(clock);
  return (
    <time dateTime={until} title={toLocal(until)}>
      {timeLeft(until, now)}
    </time>
  );
}

function toLocal(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : date.toLocaleString();
}
