#!/usr/bin/env node
import { serveCli } from "@foundry-mcp/toolkit/cli";
import { createCliRegistry } from "../app/create-cli-registry.ts";

await serveCli(createCliRegistry, { name: "foundry-cli" });
