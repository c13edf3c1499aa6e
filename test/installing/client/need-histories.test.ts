// Editions picked for needs, held against npm's own program over random histories of publishing.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import { NeedConflict, planNeeds } from '../../../src/catalog/need-plan.rule.ts';
import { isStayingVersion } from '../../../src/catalog/version.rule.ts';
import { isCi } from '../../suite/ci-only.ts';

const ITEMS = 6;
const version = fc.constantFrom(
  '1.0.0',
  '1.1.0',
  '1.1.1',
  '1.2.0-beta.1',
  '2.0.0',
  '2.3.4',
  '3.0.0',
  '0.1.0',
  'spring',
);
const range = fc.constantFrom(
  null,
  null,
  '^1.0.0',
  '^1.1.0',
  '~1.1.0',
  '2.x',
  '>=1.1.0',
  '<3.0.0',
  '^1.0.0||^3.0.0',
  '>=1.2.0-beta.0',
  '*',
);
/** Needs of the item `n`, of items after it alone: there are no circles. */
const needsOf = (n: number) =>
  fc.array(fc.record({ slug: fc.integer({ min: n + 1, max: ITEMS }).map((to) => `s${to}`), range }), {
    maxLength: 3,
  });
const publish = fc
  .integer({ min: 1, max: ITEMS })
  .chain((n) =>
    fc.record({ slug: fc.constant(`s${n}`), version, needs: n === ITEMS ? fc.constant([]) : needsOf(n) }),
  );
const history = fc.record({
  events: fc.array(publish, { maxLength: 30 }),
  root: needsOf(0).filter((needs) => needs.length > 0),
  beside: fc.array(needsOf(0), { maxLength: 2 }),
});

test('an edition is picked as npm picks it, in 2,000 histories (500 outside CI)', () => {
  fc.assert(
    fc.property(history, ({ events, root, beside }) => {
      const editions = events.map(({ slug, version, needs }, n) => ({
        slug,
        version,
        needs,
        digest: String(n),
        isServed: !events.slice(n + 1).some((later) => later.slug === slug),
        stays:
          isStayingVersion(version) &&
          !events.slice(0, n).some((one) => one.slug === slug && one.version === version),
      }));
      const listed = editions.toReversed();
      const sides: (readonly { readonly slug: string; readonly range: string | null }[])[] = [
        root,
        ...beside,
      ];
      const expected: string[] = [];
      const reached = new Set(root.map(({ slug }) => slug));
      let isRefused = false;
      for (let n = 1; n <= ITEMS; n++) {
        const slug = `s${n}`;
        if (!reached.has(slug)) continue;
        const own = editions.filter((one) => one.slug === slug);
        const ranges = sides
          .flat()
          .flatMap((need) => (need.slug === slug && need.range !== null ? [need.range] : []));
        const versions = own.filter(({ stays }) => stays).map((one) => one.version);
        const highest = maxSatisfying(
          versions.filter((one) => ranges.every((each) => maxSatisfying([one], each))),
          '*',
          {
            includePrerelease: true,
          },
        );
        const picked = own.find((one) =>
          ranges.length === 0 ? one.isServed : one.stays && one.version === highest,
        );
        if (picked === undefined) {
          isRefused = true;
          continue;
        }
        expected.push(`${slug} ${picked.digest}`);
        sides.push(picked.needs);
        for (const need of picked.needs) reached.add(need.slug);
      }
      const planning = planNeeds<(typeof listed)[number]>(
        { slug: 'root', needs: root },
        beside.map((needs, n) => ({ slug: `beside${n}`, needs })),
      );
      const plan = () => {
        let step = planning.next();
        while (step.done !== true) step = planning.next(listed.filter(({ slug }) => slug === step.value));
        return step.value.map(({ slug, edition }) => `${slug} ${edition.digest}`).toSorted();
      };
      if (isRefused) expect(plan).toThrow(NeedConflict);
      else expect(plan()).toEqual(expected.toSorted());
    }),
    { numRuns: isCi ? 2000 : 500 },
  );
});
