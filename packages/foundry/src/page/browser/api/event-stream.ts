import { requestHeaders } from "./call-tool.ts";
import { parseEvents, type ServerEvent } from "./parse-events.ts";

/** The parts of the page that follow the stream. */
export interface StreamListener {
  onEvent(event: ServerEvent): void;
  /** The stream ended, and the next attempt begins at this time. */
  onDown(retryAt: number): void;
  /** The server does not accept the token. */
  onRefused(): void;
}

/** A stream that the page follows. */
export interface EventStream {
  /** Connects now, and not only after the delay. */
  retryNow(): void;
  close(): void;
}

/** A stream without a sign of life for this long is dead: the server sends a comment every 15 s. */
const silenceMs = 45_000;
const firstDelayMs = 250;
const maxDelayMs = 4_000;

/**
 * Follows the changes that the server reports, and reconnects by itself. The stream is read with fetch, because an
 * EventSource could send the token only as a part of its address. A hidden page ends its stream, because a browser
 * opens few connections to a server, and resumes where it ended when the page is shown again.
 */
export function followEvents(listener: StreamListener): EventStream {
  const closed = new AbortController();
  let wake = () => {};
  let attempt = new AbortController();
  let lastId: string | undefined;
  const onVisibility = () => (document.hidden ? attempt.abort() : wake());
  document.addEventListener("visibilitychange", onVisibility);
  void run();
  return {
    retryNow: () => wake(),
    close() {
      document.removeEventListener("visibilitychange", onVisibility);
      closed.abort();
      attempt.abort();
      wake();
    },
  };

  async function run(): Promise<void> {
    let delay = firstDelayMs;
    while (!closed.signal.aborted) {
      if (document.hidden) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      attempt = new AbortController();
      const end = await readOnce(attempt, () => {
        delay = firstDelayMs;
      });
      if (closed.signal.aborted || end === "refused") return;
      if (document.hidden) continue;
      listener.onDown(Date.now() + delay);
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, delay);
      });
      delay = Math.min(delay * 2, maxDelayMs);
    }
  }

  async function readOnce({ signal }: AbortController, onOpen: () => void): Promise<"ended" | "refused"> {
    try {
      const resume = lastId === undefined ? {} : { "Last-Event-ID": lastId };
      const response = await fetch("./events", {
        headers: { ...requestHeaders(), Accept: "text/event-stream", ...resume },
        credentials: "omit",
        cache: "no-store",
        signal,
      });
      if (response.status === 401) {
        listener.onRefused();
        return "refused";
      }
      if (!response.ok || response.body === null) return "ended";
      onOpen();
      for await (const event of parseEvents(withSilenceLimit(response.body, attempt))) {
        if (event.id !== undefined) lastId = event.id;
        listener.onEvent(event);
      }
    } catch {
      // The connection ended; the next attempt follows.
    }
    return "ended";
  }
}

/** Yields the chunks of a body, and ends an attempt that has been silent for too long. */
async function* withSilenceLimit(
  body: ReadableStream<Uint8Array>,
  attempt: AbortController,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const timer = setTimeout(() => attempt.abort(), silenceMs);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    yield value;
  }
}
