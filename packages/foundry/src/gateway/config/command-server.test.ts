import { expect, it } from "vitest";
import { toCommandServer } from "./command-server.ts";

it("gives the server of a command the environment without the gateway's own token, and masks secrets", () => {
  const own = { FOUNDRY_TOKEN: "the-token-of-the-gateway", UNSET: undefined };
  const env = { HOME: "/home/ada", GITHUB_TOKEN: "ghp_12345678", API_KEY: "short", ...own };
  expect(toCommandServer(["npx", "-y", "tides"], env)).toEqual({
    name: "tides",
    target: {
      label: "npx -y tides",
      target: {
        command: "npx",
        args: ["-y", "tides"],
        env: { HOME: "/home/ada", GITHUB_TOKEN: "ghp_12345678", API_KEY: "short" },
      },
      secrets: ["ghp_12345678"],
    },
  });
});
