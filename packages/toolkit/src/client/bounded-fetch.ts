/** An answer of more bytes than this is not read to its end. */
const largestBody = 64 * 2 ** 20;
const newline = 0x0a;
const carriageReturn = 0x0d;

/** `fetch`, but for bodies without end: what one message may have is bounded, what a stream of them may have is not. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (response.body === null) return response;
  let size = 0;
  let last = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      // Each event ends with an empty line; between two of them stands one message.
      const begun = isStream ? sizeOfLastEvent(chunk, last) : undefined;
      size = begun ?? size + chunk.length;
      last = chunk.findLast((byte) => byte !== carriageReturn) ?? last;
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

/** How many bytes a chunk has behind its last empty line; undefined where it has none. `before`: the byte before it. */
function sizeOfLastEvent(chunk: Uint8Array, before: number): number | undefined {
  for (
    let at = chunk.lastIndexOf(newline);
    at !== -1;
    at = at === 0 ? -1 : chunk.lastIndexOf(newline, at - 1)
  ) {
    const previous = chunk[at - 1] === carriageReturn ? at - 2 : at - 1;
    if ((previous < 0 ? before : chunk[previous]) === newline) return chunk.length - at - 1;
  }
  return undefined;
}
