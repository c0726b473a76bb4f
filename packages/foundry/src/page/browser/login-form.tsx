import { useRef, useState } from "preact/hooks";
import type { TokenReason } from "./state/session.ts";
import { signIn } from "./state/session.ts";

const reasons: Readonly<Record<TokenReason, string>> = {
  missing: "This server asks for a token. Whoever runs it can give you one.",
  wrong: "The server does not know this token. Check that it is complete, or ask for a new one.",
  expired: "This token has expired. Ask whoever runs the server for a new one.",
};

/** Asks for a token. The token is never part of an address, and a reload forgets it unless the person decides otherwise. */
export function LoginForm({ reason }: { readonly reason: TokenReason }) {
  const field = useRef<HTMLInputElement>(null);
  const [isKept, setKept] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? "";
    if (token === "") return field.current?.focus();
    setBusy(true);
    await signIn(token, isKept ? "session" : "memory");
    setBusy(false);
  };
  return (
    <main class="alone">
      <form class="login" onSubmit={submit} autocomplete="off">
        <h1>Sign in to Foundry</h1>
        <p
          id="login-reason"
          role={reason === "missing" ? undefined : "alert"}
          class={reason === "missing" ? "" : "problem"}
        >
          {reasons[reason]}
        </p>
        <label>
          Token
          <input
            ref={field}
            type="password"
            name="token"
            autocomplete="off"
            spellcheck={false}
            aria-describedby="login-reason"
            aria-invalid={reason !== "missing"}
            required
            autofocus
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={isKept} onChange={() => setKept(!isKept)} />
          Keep me signed in until I close this tab
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? "Signing in…" : "Sign in"}
        </button>
      </form>
    </main>
  );
}
