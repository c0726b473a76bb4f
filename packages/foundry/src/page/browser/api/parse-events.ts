/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly event: string;
  readonly id?: string | undefined;
  readonly data: string;
}

/** Parses a stream of server-sent events, as the HTML standard describes it. */
export async function* parseEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  let fields: { event?: string; id?: string; data: string[] } = { data: [] };
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    // A CR at the end may be the first half of CRLF.
    const held = rest.endsWith("\r") ? "\r" : "";
    const lines = (held === "" ? rest : rest.slice(0, -1)).split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? "") + held;
    for (const line of lines) {
      if (line === "") {
        if (fields.data.length > 0)
          yield { event: fields.event ?? "message", id: fields.id, data: fields.data.join("\n") };
        fields = { data: [] };
        continue;
      }
      const colon = line.indexOf(":");
      if (colon === 0) continue;
      const name = colon === -1 ? line : line.slice(0, colon);
      const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "data") fields.data.push(value);
      else if (name === "event") fields.event = value;
      else if (name === "id" && !value.includes("\0")) fields.id = value;
    }
  }
}
