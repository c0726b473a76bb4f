import type { Transport } from "@modelcontextprotocol/client";
import type { Changes } from "./changes.ts";
import type { Json } from "./rpc.ts";
import type { ZooDialect } from "./to-definition.ts";

/** Calls with their expectations, in the format of a file for `--calls`. */
export interface ZooCalls {
  readonly calls: readonly {
    readonly tool: string;
    readonly arguments: Json;
    readonly expect: "success" | "failure";
    readonly error_code?: string;
    readonly data?: Json;
  }[];
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
}

/** One way to break the good server. */
export interface Fault {
  /** Creates new changes for every server, because some faults have state. */
  changes(): Changes;
  /** @default "response-v2" */
  readonly dialect?: ZooDialect;
  /** Rules that such a server necessarily breaks too. A comment states the reason for each rule. */
  readonly also?: readonly string[];
  readonly calls?: ZooCalls;
  /** True for a fault that is visible only with a process and its standard output. */
  readonly needsProcess?: boolean;
}

/** Faults by their names in the table of rules. */
export type Faults = Readonly<Record<string, Fault>>;

/** A server of the zoo. */
export interface ZooEntry {
  readonly name: string;
  readonly dialect: ZooDialect;
  readonly also: readonly string[];
  readonly calls?: ZooCalls | undefined;
  readonly needsProcess: boolean;
  /** Connects a new server to one end of a transport. */
  serve(transport: Transport): Promise<void>;
}

/** Defines a fault without state. */
export function defineFault(changes: Changes, rest: Omit<Fault, "changes"> = {}): Fault {
  return { changes: () => changes, ...rest };
}
