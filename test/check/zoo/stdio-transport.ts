import { createInterface } from "node:readline";
import type { Transport } from "@modelcontextprotocol/client";

type Message = Parameters<Transport["send"]>[0];

/** A transport over the standard input and output of this process, with one message per line. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];

  async start(): Promise<void> {
    const lines = createInterface({ input: process.stdin });
    lines.on("line", (line) => {
      if (line.trim() !== "") this.#read(line);
    });
    lines.on("close", () => this.onclose?.());
  }

  #read(line: string): void {
    try {
      this.onmessage?.(JSON.parse(line) as Message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async send(message: Message): Promise<void> {
    process.stdout.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    process.stdin.destroy();
    this.onclose?.();
  }
}
