import { ContractError } from "@foundry-mcp/contract";
import { findFreePort } from "./find-free-port.ts";
import { findListener, type Listener } from "./find-listener.ts";
import { isFoundryServer } from "./is-foundry-server.ts";

/** The address at which a server could not listen. */
export interface TakenAddress {
  readonly host: string;
  readonly port: number;
  /** The address to which the host resolves. @default the host */
  readonly address?: string | undefined;
}

/**
 * Returns the command that starts the server on another port, or undefined if the command would contain a secret.
 */
export type ToPortCommand = (port: number) => string | undefined;

/** Describes which process listens on a port, and suggests a free port. */
export async function takenPort(
  { host, port, address = host }: TakenAddress,
  toCommand: ToPortCommand,
  cause: unknown,
): Promise<ContractError> {
  const [listener, isFoundry, freePort] = await Promise.all([
    findListener(address, port),
    isFoundryServer(address, port),
    findFreePort(address, port),
  ]);
  const command = freePort === undefined ? undefined : toCommand(freePort);
  const use = isFoundry ? "Use that server, stop it" : "Stop that program";
  const other =
    freePort === undefined ? "name another port" : `start this one on port ${freePort}, which is free`;
  return new ContractError(`Cannot serve at ${host}:${port}: ${toReason(listener, isFoundry)}`, {
    errorCode: "UNAVAILABLE",
    remediation: `${use}, or ${other}.`,
    ...(command === undefined ? {} : { remedy: { command } }),
    details: {
      field: "port",
      received: port,
      ...(freePort === undefined ? {} : { free_port: freePort }),
      listener: { is_foundry: isFoundry, ...listener },
    },
    cause,
  });
}

function toReason(listener: Listener | undefined, isFoundry: boolean): string {
  const kind = isFoundry ? "a Foundry server" : "another program";
  if (listener === undefined) return `${kind} listens there`;
  const { pid, program } = listener;
  return `${kind} listens there, process ${pid}${program === "" ? "" : ` (${program})`}`;
}
