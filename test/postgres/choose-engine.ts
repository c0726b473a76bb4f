import { findBinaries } from "./find-binaries.ts";

/** What tests of PostgreSQL run on: a server that is there, one that is started for them, or PGlite. */
export type EngineChoice =
  | { readonly kind: "server"; readonly url: string }
  | { readonly kind: "cluster"; readonly bin: string }
  | { readonly kind: "pglite" };

/** The engine of this environment; with FOUNDRY_REQUIRE_POSTGRES=1 it fails where only PGlite is left. */
export function chooseEngine(env: NodeJS.ProcessEnv, versions?: string): EngineChoice {
  const url = env["DATABASE_URL"];
  if (url) {
    if (URL.canParse(url) && /^postgres(ql)?:/.test(url)) return { kind: "server", url };
    // Not quoted: it holds a password.
    throw new Error(
      "DATABASE_URL is no URL that databases can be created under. Give it the form postgres://user@host:5432/name, or unset it.",
    );
  }
  const bin = findBinaries(env, versions);
  if (bin !== undefined) return { kind: "cluster", bin };
  if (env["FOUNDRY_REQUIRE_POSTGRES"] !== "1") return { kind: "pglite" };
  throw new Error(
    "FOUNDRY_REQUIRE_POSTGRES is 1, and there is no PostgreSQL: no DATABASE_URL, and no initdb in PATH or /usr/lib/postgresql/*/bin. Install PostgreSQL, set DATABASE_URL, or unset FOUNDRY_REQUIRE_POSTGRES to use PGlite.",
  );
}
