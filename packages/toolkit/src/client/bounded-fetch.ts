/** An answer of more bytes than this is not read to its end. */
const largestBody = 64 * 2 ** 20;

/** `fetch`, but for bodies without end: what one message may have is bounded, what a stream of them may have is not. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (response.body === null) return response;
  let size = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      // Each event ends with an empty line; between two of them stands one message.
      size = isStream && endsEvent(chunk) ? 0 : size + chunk.length;
      if (size > largestBody) controller.error(new TooLarge());
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  const bounded = new Response(response.body.pipeThrough(counter), { status, statusText, headers });
  // The SDK looks at where a redirect has led.
  Object.defineProperty(bounded, "url", { value: response.url });
  return bounded;
}

class TooLarge extends Error {
  constructor() {
    super(`An answer is longer than ${largestBody.toLocaleString("en")} bytes`);
    this.name = "TooLarge";
  }
}

function endsEvent(chunk: Uint8Array): boolean {
  const at = chunk.length;
  return chunk[at - 1] === 0x0a && (chunk[at - 2] === 0x0a || chunk[at - 2] === 0x0d);
}
