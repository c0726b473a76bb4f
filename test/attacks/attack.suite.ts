import { afterAll, describe, expect, it } from "vitest";
import { type AttackChoice, attacks, attacksOn, skippedAttacks } from "./attacks.ts";
import { runAttack } from "./run-attack.ts";
import type { RepositoryIds, SampleRepository, Target } from "./sample-repository.ts";
import type { Call, Surface } from "./surfaces.ts";

/** A surface, and the attacks to try over it. */
export interface AttackedSurface {
  readonly surface: Surface;
  readonly callsFor: (path: string, ids: RepositoryIds) => readonly Call[];
  /**
   * The attacks to try.
   * @default all attacks
   */
  readonly choice?: AttackChoice;
}

/**
 * Selects targets for slow surfaces: returns false for all leftovers except one. Over stdio, every leftover
 * is attacked, and all surfaces handle leftovers with the same code.
 */
export function isNoFurtherLeftover({ kind }: Target): boolean {
  return !kind.endsWith("TEMPORARY") || kind === "specs/active/TEMPORARY";
}

/** The timeout is long, because the deadline of a call detects a hanging process much earlier. */
const timeoutMs = 600_000;

/**
 * Replaces each kind of file and folder by each hostile variant, and checks the same promises for every call. An
 * envelope arrives in time, nothing outside is read or changed, memory is bounded, and other specs are served.
 */
export function describeAttacks(
  repository: SampleRepository,
  { surface, callsFor, choice = "all" }: AttackedSurface,
  isChosen: (target: Target) => boolean = () => true,
): void {
  describe(`a hostile repository over ${surface.name}`, () => {
    afterAll(async () => {
      await surface.kill();
      repository.remove();
    });

    it("is worked in by every call while nothing is hostile", async () => {
      repository.restore();
      const refused: string[] = [];
      for (const call of callsFor("specs", repository.ids)) {
        const { envelope } = await surface.call(call);
        if (envelope.success === (call.isRefused ?? false))
          refused.push(`${call.tool} ${JSON.stringify(call.args)}: ${envelope.error}`);
      }
      expect(refused).toEqual([]);
      // A kind of file that no attack replaces would be missing in the sample repository.
      const attacked = repository.targets.map(({ kind }) => kind);
      expect(repository.kinds().filter((kind) => !attacked.includes(kind))).toEqual([]);
    });

    if (skippedAttacks.length > 0)
      it.skip(`not possible on this machine: ${skippedAttacks.join(", ")}`, () => {});

    // On the command line, a person may name any document.
    const isReachable = ({ path }: Target) => !(surface.isOneShot && path.startsWith("notes"));
    for (const target of repository.targets.filter(isReachable).filter(isChosen))
      it(
        target.kind,
        async () => {
          const found: string[] = [];
          const calls = callsFor(target.path, repository.ids);
          for (const attack of attacksOn(target, choice))
            found.push(...(await runAttack(repository, target, attack, surface, calls)));
          expect(found).toEqual([]);
        },
        timeoutMs,
      );

    it.skipIf(surface.isOneShot)(
      "ends when it is told to, whatever its last calls found",
      async () => {
        const endings: string[] = [];
        for (const name of ["a FIFO", "a link to /dev/zero", "a socket"]) {
          const attack = attacks.find((each) => each.name === name)!;
          repository.restore();
          for (const { path, isFolder } of repository.targets)
            if (!isFolder && path.startsWith("specs"))
              await attack.place(`${repository.folder}/${path}`, repository);
          await surface.restart();
          const calls = callsFor("specs", repository.ids).map((call) =>
            surface.call(call).catch(() => undefined),
          );
          await calls[0];
          if (!(await surface.end())) endings.push(`${name}: it ignored SIGTERM`);
          await Promise.all(calls);
        }
        expect(endings).toEqual([]);
      },
      timeoutMs,
    );
  });
}
