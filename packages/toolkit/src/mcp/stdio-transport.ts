import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { loosenArguments } from "./loose-arguments.ts";

/** The SDK's transport, with calls let through that it would refuse itself. */
export class LooseStdioTransport extends StdioServerTransport {
  constructor(stdin: Readable, stdout: Writable) {
    super(stdin, stdout);
    let receive: Transport["onmessage"];
    // The SDK assigns its receiver to a field; standing in between is the only way to see a message first.
    Object.defineProperty(this, "onmessage", {
      get: () => receive,
      set: (given: Transport["onmessage"]) => {
        receive = given && ((message, extra) => given(loosenArguments(message) as typeof message, extra));
      },
    });
  }
}
