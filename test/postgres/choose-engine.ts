import { findBinaries } from "./find-binaries.ts";

/** The engine of PostgreSQL tests: an existing server, a temporary cluster, or PGlite. */
export type EngineChoice =
  | { readonly kind: "server"; readonly url: string }
  | { readonly kind: "cluster"; readonly bin: string }
  | { readonly kind: "pglite" };

/** Chooses the engine for this environment. With FOUNDRY_REQUIRE_POSTGRES=1, fails if only PGlite is available. */
export function chooseEngine(env: NodeJS.ProcessEnv, versions?: string): EngineChoice {
  const url = env["DATABASE_URL"];
  if (url) {
    if (URL.canParse(url) && /^postgres(ql)?:/.test(url)) return { kind: "server", url };
    // The value is not quoted, because it may contain a password.
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
