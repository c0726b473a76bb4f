/** A message of a PostgreSQL client. */
export interface WireMessage {
  /** The letter of the message type. Startup messages have no letter and are identified by their code. */
  readonly type: string | number;
  readonly bytes: Buffer;
}

/** The codes of startup messages. */
export const opening = { cancel: 80_877_102, tls: 80_877_103, gss: 80_877_104, startup: 196_608 };

/** Reassembles messages from network chunks, because a partial message would crash PGlite and the process. */
export class WireReader {
  #chunks: Buffer[] = [];
  #size = 0;
  #needed = 1;
  #isOpen = false;

  /** Returns the messages that this chunk completes. */
  *read(chunk: Buffer): Generator<WireMessage> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return;
    let bytes = Buffer.concat(this.#chunks, this.#size);
    for (;;) {
      const head = this.#isOpen ? 1 : 0;
      this.#needed = bytes.length < head + 4 ? head + 4 : head + bytes.readUInt32BE(head);
      if (bytes.length < Math.max(this.#needed, head + 4)) break;
      const message = bytes.subarray(0, this.#needed);
      bytes = bytes.subarray(this.#needed);
      const type = this.#isOpen ? String.fromCharCode(message[0] ?? 0) : codeOf(message);
      // A client first requests encryption, which is refused, and then sends its startup message.
      if (type === opening.startup) this.#isOpen = true;
      yield { type, bytes: message };
    }
    this.#chunks = [bytes];
    this.#size = bytes.length;
  }
}

const codeOf = (message: Buffer) => (message.length < 8 ? 0 : message.readUInt32BE(4));

/** Encodes a message from its type and NUL-terminated strings. */
export function toWireMessage(type: string, ...texts: readonly string[]): Buffer {
  const body = Buffer.from(texts.map((text) => `${text}\0`).join(""));
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
