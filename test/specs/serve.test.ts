import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCli } from "./programs.ts";
import { createWorkspace, type TestWorkspace } from "./workspace.ts";

let place: TestWorkspace;
beforeAll(async () => {
  place = await createWorkspace();
});
afterAll(() => place.remove());

const serve = (env: Readonly<Record<string, string>>, ...args: string[]) =>
  callCli(["serve", "--port", "0", "--log-level", "silent", ...args], { cwd: place.folder, env });
const token = { FOUNDRY_TOKEN: "a-long-secret-0123456789" };
const tokenless =
  "Set FOUNDRY_TOKEN to a long secret, and name with --allowed-hosts the hosts that it is called by; or listen on 127.0.0.1 and leave --allowed-hosts out.";

describe("serve does not start", () => {
  it.each([
    {
      title: "on an address of others without a token",
      env: {},
      args: ["--host", "0.0.0.0"],
      error: 'Cannot listen on "0.0.0.0", which others can reach, without FOUNDRY_TOKEN and allowed_hosts',
      remediation: tokenless,
      details: { field: "host", received: "0.0.0.0" },
    },
    {
      title: "with further host names and no token",
      env: { FOUNDRY_ALLOWED_HOSTS: "evil.example" },
      args: [],
      error:
        'Cannot create a server over HTTP: allowed_hosts[0] "evil.example" needs FOUNDRY_TOKEN: a server without FOUNDRY_TOKEN serves this machine only',
      remediation: tokenless,
      details: { field: "allowed_hosts", received: ["evil.example"] },
    },
    {
      title: "with a host name that no request could have",
      env: token,
      args: ["--allowed-hosts", "https://harbour.example"],
      error:
        'Cannot create a server over HTTP: allowed_hosts[0] "https://harbour.example" is no host name, so it would match nothing',
      remediation: 'Write "harbour.example": no scheme, port, path or *.',
      details: { field: "allowed_hosts", received: ["https://harbour.example"] },
    },
    {
      title: "with a token that is too short, which is not quoted",
      env: { FOUNDRY_TOKEN: "short" },
      args: [],
      error: "Cannot create a server over HTTP: FOUNDRY_TOKEN is shorter than 16 characters",
      remediation: "Take a longer one: openssl rand -hex 32",
      details: { field: "FOUNDRY_TOKEN" },
    },
  ])("$title", async ({ env, args, error, remediation, details }) => {
    const answer = await serve(env as Record<string, string>, ...args);
    expect([answer.error, answer.data]).toEqual([
      error,
      { error_code: "VALIDATION_ERROR", error_type: "validation", remediation, details },
    ]);
  });
});
