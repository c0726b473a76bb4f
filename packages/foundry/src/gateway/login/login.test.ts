import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openTestGateway, type TestGateway } from "../testing/open-test-gateway.ts";
import { type OAuthUpstream, startOAuthUpstream } from "../testing/start-oauth-upstream.ts";
import { FileLoginStore } from "./file-login-store.ts";
import { runLogin } from "./run-login.ts";

let folder: string;
let upstream: OAuthUpstream;
const gateways: TestGateway[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "foundry-login-"));
  upstream = await startOAuthUpstream();
});
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
  await upstream.close();
  rmSync(folder, { recursive: true });
});

/** Acts as the browser of a user who agrees: opens the login page and follows the redirect back to the gateway. */
const browse = async (page: URL) => void (await fetch(page));

const logIn = (open = browse) => {
  const target = { label: upstream.url, target: { url: upstream.url }, secrets: [] };
  return runLogin({ name: "web", target, rule: undefined, folder, env: {} }, open);
};

async function open(): Promise<TestGateway> {
  const openLogin = (name: string, url: string) => new FileLoginStore(folder, url, `Log in at ${name}.`);
  const gateway = await openTestGateway({ web: { url: upstream.url } }, {}, { openLogin });
  gateways.push(gateway);
  return gateway;
}

it("stores the tokens of a login for its user only, and the gateway sends and refreshes them", async () => {
  await logIn();
  const logins = join(folder, "gateway-logins");
  const [file = ""] = readdirSync(logins);
  expect([statSync(logins).mode & 0o777, statSync(join(logins, file)).mode & 0o777]).toEqual([0o700, 0o600]);
  const gateway = await open();
  expect(gateway.status.upstreams[0]).toMatchObject({ state: "ready", tools: 1 });
  upstream.expire();
  const { error, data } = await gateway.call("call");
  expect([error, data["error_code"], upstream.grants]).toEqual([
    "403 Forbidden: ***",
    "FORBIDDEN",
    ["authorization_code", "refresh_token"],
  ]);
  const { tokens } = JSON.parse(readFileSync(join(logins, file), "utf8")) as {
    readonly tokens: { readonly access_token: string };
  };
  expect(JSON.stringify(gateway.status)).not.toContain(tokens.access_token);
});

it("is asked for by the failure of a server without one, and of one whose tokens are revoked", async () => {
  const gateway = await open();
  const reason = expect.stringContaining("erver needs a login");
  expect(gateway.status.upstreams[0]).toMatchObject({ state: "waiting", reason });
  await logIn();
  const other = await open();
  upstream.revoke();
  const { data, error } = await other.call("call");
  expect([error, data]).toEqual([
    reason,
    expect.objectContaining({ error_code: "UNAUTHORIZED", remediation: "Log in at web." }),
  ]);
});

it("fails if the user refuses, and if the browser returns with the state of another login", async () => {
  upstream.refuses = true;
  await expect(logIn()).rejects.toMatchObject({
    code: "FORBIDDEN",
    message: "Cannot log in: the authorization server refused (access_denied)",
  });
  upstream.refuses = false;
  let status = 0;
  await logIn(async (page) => {
    const back = new URL(page.searchParams.get("redirect_uri") ?? "");
    back.search = "?code=stolen&state=other";
    status = (await fetch(back)).status;
    await browse(page);
  });
  expect([status, upstream.grants]).toEqual([404, ["authorization_code"]]);
});
