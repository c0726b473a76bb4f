import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ContractError, isContractError, timedOut } from "@foundry-mcp/contract";
import { auth } from "@modelcontextprotocol/client";
import { boundedFetch } from "./http-transport.ts";
import { createLoginProvider, type LoginClient, type LoginStore } from "./login-provider.ts";

/** The options of a login. */
export interface LoginOptions {
  /** Shows the page of the authorization server to the user. */
  readonly open: (page: URL) => void | Promise<void>;
  /** A client that the authorization server knows already. @default the client registers itself */
  readonly client?: LoginClient | undefined;
  readonly scope?: string | undefined;
  /** The port on 127.0.0.1 to which the user's browser returns; 0 for a free one. @default 0 */
  readonly port?: number | undefined;
  /** The time in which the user has to log in, in milliseconds. @default 300_000 */
  readonly timeoutMs?: number | undefined;
}

const path = "/callback";

/**
 * Logs in at a server with OAuth: shows the page of its authorization server, waits for the user's browser to return, and
 * stores the tokens. Throws a ContractError if the login fails.
 */
export async function login(url: string | URL, store: LoginStore, options: LoginOptions): Promise<void> {
  const { open, client, scope, port = 0, timeoutMs = 300_000 } = options;
  const state = randomBytes(16).toString("hex");
  const callback = await listen(port, state);
  const redirectUrl = `http://127.0.0.1:${callback.port}${path}`;
  // An earlier registration is bound to another redirect URL.
  await store.write({
    client:
      client === undefined
        ? undefined
        : { client_id: client.id, ...(client.secret === undefined ? {} : { client_secret: client.secret }) },
  });
  const provider = createLoginProvider(store, { redirectUrl, state, client, scope, open });
  const request = { serverUrl: url, fetchFn: boundedFetch, ...(scope === undefined ? {} : { scope }) };
  let timer: NodeJS.Timeout | undefined;
  try {
    if ((await auth(provider, request)) === "AUTHORIZED") return;
    const { code, iss } = await Promise.race([
      callback.returned,
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(timedOut(timeoutMs)), timeoutMs);
      }),
    ]);
    await auth(provider, { ...request, authorizationCode: code, ...(iss === undefined ? {} : { iss }) });
  } catch (thrown) {
    throw isContractError(thrown) ? thrown : failedLogin(thrown);
  } finally {
    clearTimeout(timer);
    callback.close();
  }
}

interface Returned {
  readonly code: string;
  readonly iss: string | undefined;
}

/** Waits on 127.0.0.1 for the user's browser to return from the authorization server. */
async function listen(port: number, state: string) {
  let resolve: (returned: Returned) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const returned = new Promise<Returned>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  // This handler prevents an unhandled rejection if the login fails before the result is awaited.
  returned.catch(() => {});
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    response.setHeader("Content-Type", "text/plain; charset=utf-8");
    response.setHeader("Connection", "close");
    // A page of another site can also send a browser here, so only the answer to this login counts.
    if (pathname !== path || !isSame(searchParams.get("state") ?? "", state))
      return void response.writeHead(404).end("This page belongs to no login.\n");
    const code = searchParams.get("code");
    if (code !== null) {
      resolve({ code, iss: searchParams.get("iss") ?? undefined });
      return void response.end("The login is complete. You can close this page.\n");
    }
    reject(refusedLogin(searchParams.get("error") ?? "no reason given"));
    response.writeHead(400).end("The login was refused. You can close this page.\n");
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", listening);
  });
  return { returned, port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function refusedLogin(reason: string): ContractError {
  const shown = reason.slice(0, 200).replaceAll(/[^\x20-\x7e]/g, "?");
  return new ContractError(`Cannot log in: the authorization server refused (${shown})`, {
    errorCode: "FORBIDDEN",
    remediation: "Log in again, with an account that may use the server.",
  });
}

function failedLogin(cause: unknown): ContractError {
  const reason = cause instanceof Error ? cause.message.slice(0, 300) : "no reason given";
  return new ContractError(`Cannot log in: ${reason}`, {
    errorCode: "UNAUTHORIZED",
    remediation:
      "Check the address of the server. If clients cannot register themselves there, configure the id of a client.",
    cause,
  });
}
