import { onUnauthorized } from "../api/call-tool.ts";
import type { CallError } from "../api/envelope.ts";
import { toText } from "../api/envelope.ts";
import { readSession, type Session } from "../api/session.ts";
import { forgetToken, keepToken, readToken } from "../api/token.ts";
import { createStore } from "./store.ts";

/** The reason why the server requires a token. */
export type TokenReason = "missing" | "wrong" | "expired";

/** The state of the page before and after the person has signed in. */
export type SessionState =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly error: CallError }
  | { readonly state: "locked"; readonly reason: TokenReason }
  | { readonly state: "open"; readonly session: Session };

/** The session of this page. */
export const session = createStore<SessionState>({ state: "loading" });

/** Asks the server again. */
export async function openSession(): Promise<void> {
  const answer = await readSession();
  if (answer.ok) session.set({ state: "open", session: answer.data });
  else if (answer.error.code === "UNAUTHORIZED") lock(toText(answer.error.details["reason"]));
  else session.set({ state: "failed", error: answer.error });
}

/** Signs in with a token. */
export async function signIn(token: string, keepIn: "memory" | "session"): Promise<void> {
  keepToken(token, keepIn);
  await openSession();
}

/** Forgets the token, and asks the server what may be read without one. */
export async function signOut(): Promise<void> {
  forgetToken();
  session.set({ state: "loading" });
  await openSession();
}

/** True if this page may change anything. */
export function canWrite(): boolean {
  const current = session.get();
  return current.state === "open" && current.session.can_write;
}

/** True if the server has a tool for this page. */
export function hasTool(name: string): boolean {
  const current = session.get();
  return current.state === "open" && current.session.tools.includes(name);
}

onUnauthorized.add(({ reason }) => lock(toText(reason)));

function lock(given: string): void {
  const had = readToken() !== undefined;
  const reason =
    given === "expired" || given === "wrong" || given === "missing" ? given : had ? "wrong" : "missing";
  forgetToken();
  session.set({ state: "locked", reason });
}
