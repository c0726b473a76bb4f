/** What a client of PostgreSQL sends: a type, and the message with its head. */
export interface WireMessage {
  /** The letter of its type; a message that opens a connection has none, and is told by its code. */
  readonly type: string | number;
  readonly bytes: Buffer;
}

/** Codes of the messages that open a connection. */
export const opening = { cancel: 80_877_102, tls: 80_877_103, gss: 80_877_104, startup: 196_608 };

/** Puts together the messages that arrive in pieces: half a message ends PGlite, and the process with it. */
export class WireReader {
  #pieces: Buffer[] = [];
  #size = 0;
  #needed = 1;
  #isOpen = false;

  /** The messages that are whole with this piece. */
  *read(piece: Buffer): Generator<WireMessage> {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size < this.#needed) return;
    let bytes = Buffer.concat(this.#pieces, this.#size);
    for (;;) {
      const head = this.#isOpen ? 1 : 0;
      this.#needed = bytes.length < head + 4 ? head + 4 : head + bytes.readUInt32BE(head);
      if (bytes.length < Math.max(this.#needed, head + 4)) break;
      const message = bytes.subarray(0, this.#needed);
      bytes = bytes.subarray(this.#needed);
      const type = this.#isOpen ? String.fromCharCode(message[0] ?? 0) : codeOf(message);
      // Encryption is asked for first, and refused; then the connection is opened.
      if (type === opening.startup) this.#isOpen = true;
      yield { type, bytes: message };
    }
    this.#pieces = [bytes];
    this.#size = bytes.length;
  }
}

const codeOf = (message: Buffer) => (message.length < 8 ? 0 : message.readUInt32BE(4));

/** A message of one's own: its type and texts, each ended by a zero. */
export function toWireMessage(type: string, ...texts: readonly string[]): Buffer {
  const body = Buffer.from(texts.map((text) => `${text}\0`).join(""));
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
