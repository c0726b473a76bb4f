import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "./connection.ts";
import { type HttpFixture, startHttpFixture } from "./testing/start-fixture.ts";

describe("a connection over HTTP", () => {
  const headers = { authorization: "Bearer t" };
  let fixture: HttpFixture;
  beforeAll(async () => {
    fixture = await startHttpFixture("http-headed");
  });
  afterAll(() => fixture.stop());

  it("sends its headers, and fails with UNAUTHORIZED without them", async () => {
    await using connection = await connect(new URL(fixture.url), { headers });
    expect(connection.serverInfo).toMatchObject({ name: "headed" });
    await expect(connect(fixture.url)).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      message: `Cannot connect to ${fixture.url}: the server answered with HTTP status 401`,
    });
  });

  it("repeats arguments as headers where the tool declares it, from the first call on", async () => {
    await using connection = await connect(fixture.url, { headers });
    for (const region of ["north", "south"])
      expect((await connection.callTool("where", { region })).data).toEqual({ name: region, header: region });
  });

  it("converts the error that SDK 2 creates when a tool throws", async () => {
    await using connection = await connect(fixture.url, { headers });
    expect(await connection.callTool("throws")).toMatchObject({
      success: false,
      error: "Permission denied",
      data: { error_code: "FORBIDDEN", details: { guessed: true } },
    });
  });

  it("converts what SDK 2 answers for wrong arguments and unknown tools", async () => {
    await using connection = await connect(fixture.url, { headers });
    const wrong = await connection.callTool("where", { region: 7 });
    expect(wrong.data).toMatchObject({ error_code: "VALIDATION_ERROR" });
    const unknown = await connection.callTool("nope");
    expect(unknown.data).toMatchObject({ error_code: "VALIDATION_ERROR", details: { rpc_code: -32602 } });
  });
});
