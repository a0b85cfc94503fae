import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NearLimit } from '#contracts/internal/event-batch';
import type { Denial, FeatureVerdict } from '#contracts/public/verdict';
import { compileArtifact, type Workspace } from '#engine/artifacts/compile-artifact';
import { attachBalances } from '#engine/entitlements/attach-balances';
import { evaluate, evaluateResolution } from '#engine/entitlements/evaluate';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import type { PreparedArtifact } from '#engine/entitlements/prepared-artifact';
import { holesOf, type Readings, renderFeatures } from '#engine/entitlements/render-features';
import { resolve } from '#engine/entitlements/resolve';
import { usageReadsOf } from '#engine/entitlements/usage-reads';
import type { CountedMeter } from '#engine/entitlements/verdict';
import { type MeterAnswer, readMeter } from '#engine/metering/read-meter';
import { entityKey } from '#engine/metering/reading-key';
import { compareText } from '#engine/text/compare-text';
import { HOSTILE_NAMES, instant, subjectOf, workspace } from '../arbitraries.ts';
import { SMALL } from '../small-workspace.ts';

/** @param isEarlier as a release compiled it whose features left their meters alone */
function preparedOf(rows: Workspace, isEarlier = false): PreparedArtifact {
  const { switchesMeters, ...earlier } = compileArtifact(rows);
  return prepare(isEarlier ? earlier : { ...earlier, switchesMeters });
}

/** What a call may have counted on one of the features. */
const countedOn = (prepared: PreparedArtifact): fc.Arbitrary<CountedMeter | null> => {
  const metered = prepared.properties.filter(({ type }) => type === 'meterable');
  return metered.length === 0
    ? fc.constant(null)
    : fc.option(
        fc.record({
          feature: fc.constantFrom(...metered.map(({ feature }) => feature.slug)),
          accepted: fc.boolean(),
          meter: fc
            .integer({ min: 0, max: 4 })
            .map((used) => readMeter({ state: 'metered', meter: LIFETIME }, { used }, 0)),
        }),
      );
};
const LIFETIME = { limit: 2, periodType: 'lifetime', uniqueResourceIds: false } as const;

/** Readings for some properties, below zero and beyond limits too. */
const readingsFor = (prepared: PreparedArtifact, now: number): fc.Arbitrary<Readings | null> =>
  fc.option(
    fc
      .tuple(
        ...prepared.properties.map(({ property }) =>
          fc
            .option(
              fc.record({
                used: fc.integer({ min: -2, max: 8 }),
                resetsAt: fc.constantFrom(null, now - 5, now + 5, now + 70_000),
              }),
            )
            .map((reading) => [property.id, reading] as const),
        ),
      )
      .map(
        (pairs) =>
          new Map(pairs.flatMap(([id, reading]) => (reading === null ? [] : [[id, reading] as const]))),
      ),
  );

type Answers = ReturnType<typeof evaluate>['features'];

/** By the words of the rule, from the answer's properties alone. */
function verdictOf({ properties }: Answers[string], counted: CountedMeter | null): FeatureVerdict {
  if (properties.enabled === false) return { allowed: false, reason: 'not-in-plan' };
  const meters = Object.values(properties).filter((value): value is MeterAnswer => typeof value === 'object');
  const deciding = meters.filter(({ state, costs }) => state !== 'off' || costs !== undefined);
  const { meter } = counted ?? {};
  const isLimited =
    counted === null
      ? deciding.length > 0 && deciding.every(({ allowed }) => !allowed)
      : !counted.accepted || (meter?.state === 'metered' && meter.used > meter.limit);
  return isLimited ? { allowed: false, reason: 'limit-reached' } : { allowed: true };
}

function denialsOf(answers: Answers): Denial[] {
  return Object.entries(answers).flatMap(([feature, verdict]) =>
    verdict.allowed ? [] : [{ feature, reason: verdict.reason }],
  );
}

const sorted = (denials: readonly Denial[]) =>
  denials.toSorted((one, other) => compareText(one.feature, other.feature));

/** In the artifact's order. */
function nearLimitsOf({ properties }: PreparedArtifact, answers: Answers): NearLimit[] {
  return properties.flatMap(({ feature: { slug }, property: { key } }) => {
    const value = answers[slug]?.properties[key];
    if (typeof value !== 'object' || value.state !== 'metered') return [];
    const { used, limit } = value;
    return used > 0 && used / limit >= 0.8 ? [{ feature: slug, property: key, used, limit }] : [];
  });
}

describe('rendering an answer', () => {
  const cases = fc.tuple(workspace, fc.boolean()).chain(([rows, isEarlier]) => {
    const prepared = preparedOf(rows, isEarlier);
    return fc.tuple(fc.constant(prepared), subjectOf(rows), instant).chain(([same, subject, now]) =>
      fc.record({
        prepared: fc.constant(same),
        subject: fc.constant(subject),
        now: fc.constant(now),
        readings: readingsFor(prepared, now),
        counted: countedOn(prepared),
        later: fc.constantFrom(0, 1, 59_999, 3_600_000, 86_400_000 * 40),
      }),
    );
  });

  it('writes exactly the JSON of evaluate, with and without cached templates', () => {
    fc.assert(
      fc.property(cases, ({ prepared, subject, now, readings, later }) => {
        const resolution = resolve(prepared, plansOf(prepared, subject));
        for (const at of [now, now + later, now]) {
          const rendered = renderFeatures(resolution, readings, at);
          const evaluated = evaluate(prepared, subject, readings, at);
          expect(rendered.json).toBe(textOf(prepared, evaluated.features));
          expect(() => JSON.parse(rendered.json)).not.toThrow();
          expect(rendered.validUntil).toBe(evaluated.validUntil);
          expect(evaluated.planSlugs).toEqual(resolution.planSlugs);
          const answers: Answers = evaluated.features; // Node's JSON.parse misreads some escaped names.
          expect(sorted(rendered.denied)).toEqual(sorted(denialsOf(answers)));
          expect(rendered.nearLimits).toEqual(nearLimitsOf(prepared, answers));
        }
      }),
      { numRuns: 400 },
    );
  });

  it('writes the same with balances, and is valid until the next of them starts or ends', () => {
    const balancesOf = ({ properties }: PreparedArtifact, now: number) =>
      fc.uniqueArray(
        fc.record({
          id: fc.constantFrom('bal_a', 'bal_b', 'bal_c'),
          propertyId: fc.constantFrom(
            'prop_other',
            ...properties.filter(({ type }) => type === 'meterable').map(({ property }) => property.id),
          ),
          amount: fc.integer({ min: 0, max: 9 }),
          category: fc.constantFrom('paid' as const, 'promotional' as const),
          startsAt: fc.constantFrom(now - 9, now, now + 7),
          endsAt: fc.constantFrom(null, now - 1, now, now + 11, now + 3_600_000),
          priority: fc.constantFrom(0, 50),
        }),
        { maxLength: 3, selector: ({ id }) => id },
      );
    const withBalances = cases.chain((each) =>
      fc.record({
        ...{ each: fc.constant(each), balances: balancesOf(each.prepared, each.now) },
        drawn: fc.array(fc.nat(9), { minLength: 3, maxLength: 3 }),
      }),
    );
    let attached = 0;
    fc.assert(
      fc.property(withBalances, ({ each: { prepared, subject, now, readings, later }, balances, drawn }) => {
        const [a = 0, b = 0, c = 0] = drawn;
        const draws = { inWindow: a, grants: { bal_a: a, bal_b: b, bal_c: c } };
        const drawing = readings && new Map([...readings].map(([id, read]) => [id, { ...read, draws }]));
        const facts = { version: 1, grants: [], overrides: [], balances };
        const resolution = attachBalances(resolve(prepared, plansOf(prepared, subject)), facts, now);
        if (resolution.balances !== null) attached += 1;
        for (const at of [now, now + later, now]) {
          const beside = { counted: null, isListed: at !== now };
          const rendered = renderFeatures(resolution, drawing, at, undefined, beside);
          const { features, validUntil } = evaluateResolution(resolution, drawing, at, beside);
          expect(rendered.json).toBe(textOf(prepared, features));
          expect(sorted(rendered.denied)).toEqual(sorted(denialsOf(features)));
          expect(rendered.nearLimits).toEqual(nearLimitsOf(prepared, features));
          // Balances of what is on or off change nothing.
          expect(rendered.validUntil).toBeGreaterThanOrEqual(validUntil);
          expect(renderFeatures(resolution, drawing, rendered.validUntil - 1, undefined, beside).json).toBe(
            rendered.json,
          );
        }
      }),
      { numRuns: 400 },
    );
    expect(attached).toBeGreaterThan(20);
  });

  it('writes the same of an entity, which may use what both limits allow', () => {
    const withEntity = cases.chain((each) =>
      fc.record({ each: fc.constant(each), used: fc.array(fc.nat(5), { minLength: 30, maxLength: 30 }) }),
    );
    let limited = 0;
    fc.assert(
      fc.property(withEntity, ({ each: { prepared, subject, now, readings }, used }) => {
        const resolution = resolve(prepared, plansOf(prepared, subject));
        const read = new Map(readings ?? []);
        prepared.perEntity.forEach(({ property: { id } }, place) => {
          read.set(entityKey(id), { used: used[place % used.length]!, resetsAt: null });
        });
        const beside = { counted: null, isListed: false, entity: 'ada' };
        const rendered = renderFeatures(resolution, read, now, undefined, beside);
        const { features } = evaluateResolution(resolution, read, now, beside);
        expect(rendered.json).toBe(textOf(prepared, features));
        expect(sorted(rendered.denied)).toEqual(sorted(denialsOf(features)));
        const alone = evaluateResolution(resolution, read, now).features;
        for (const { feature, property, index, cost } of prepared.properties) {
          const answer = features[feature.slug]?.properties[property.key];
          // What pays may be limited for the entity, too.
          if (resolution.choices[index]?.isPerEntity !== true || cost !== null) continue;
          if (typeof answer !== 'object' || answer.state === 'off') throw new Error('It has an entity');
          const own = alone[feature.slug]?.properties[property.key] as MeterAnswer;
          const { entity } = answer;
          limited += 1;
          expect(entity).toMatchObject({ id: 'ada', remaining: Math.max(0, entity!.limit - entity!.used!) });
          expect(answer.allowed).toBe(own.allowed && entity!.used! < entity!.limit);
          expect(own).toMatchObject({ entity: { id: null, limit: entity!.limit } });
        }
      }),
      { numRuns: 400 },
    );
    expect(limited).toBeGreaterThan(20);
  });

  it('gives each feature the verdict that the rule words, in the text as in evaluate, also of what was counted', () => {
    fc.assert(
      fc.property(cases, ({ prepared, subject, now, readings, counted }) => {
        const resolution = resolve(prepared, plansOf(prepared, subject));
        const beside = { counted, isListed: false };
        const { features } = evaluateResolution(resolution, readings, now, beside);
        const rendered = renderFeatures(resolution, readings, now, undefined, beside);
        expect(rendered.json).toBe(textOf(prepared, features));
        expect(sorted(rendered.denied)).toEqual(sorted(denialsOf(features)));
        for (const [slug, { properties, ...verdict }] of Object.entries(features)) {
          const answer = features[slug] as Answers[string];
          expect(verdict).toEqual(verdictOf(answer, counted?.feature === slug ? counted : null));
          if (prepared.content.switchesMeters !== true || properties.enabled !== false) continue;
          for (const value of Object.values(properties)) {
            if (typeof value === 'object') expect(value.state).toBe('off');
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it('of some features equals their part of the whole answer, in the same order, and reports unknown slugs', () => {
    const some = cases.chain((parts) =>
      fc.tuple(
        fc.constant(parts),
        fc.shuffledSubarray([...parts.prepared.featureBySlug.keys()]),
        fc.uniqueArray(
          fc.constantFrom(...HOSTILE_NAMES).filter((slug) => !parts.prepared.featureBySlug.has(slug)),
          { maxLength: 3 },
        ),
      ),
    );
    fc.assert(
      fc.property(some, ([{ prepared, subject, now, readings }, known, unknown]) => {
        const resolution = resolve(prepared, plansOf(prepared, subject));
        const rendered = renderFeatures(resolution, readings, now, new Set([...unknown, ...known]));
        const { features } = evaluate(prepared, subject, readings, now);
        for (const slug of Object.keys(features)) if (!known.includes(slug)) delete features[slug];
        expect(rendered.json).toBe(textOf(prepared, features));
        expect(rendered.unknownFeatures).toEqual(unknown);
        expect(sorted(rendered.denied)).toEqual(sorted(denialsOf(features)));
        expect(holesOf(resolution, new Set(known)).length).toBe(
          holesOf(resolution).filter(({ property }) => known.includes(property.feature.slug)).length,
        );
      }),
      { numRuns: 200 },
    );
  });

  it('is valid for a minute, or until the first meter in it resets', () => {
    const prepared = preparedOf(SMALL);
    const resolution = resolve(
      prepared,
      plansOf(prepared, { isAuthenticated: true, grantedPlanIds: ['plan_pro'] }),
    );
    const monthEnd = Date.UTC(2025, 1, 1);
    expect(renderFeatures(resolution, null, monthEnd - 3_600_000).validUntil).toBe(monthEnd - 3_540_000);
    expect(renderFeatures(resolution, null, monthEnd - 10_000).validUntil).toBe(monthEnd);
    expect(renderFeatures(resolution, null, monthEnd).validUntil).toBe(monthEnd + 60_000);
    const readings = new Map([['prop_exports', { used: 1 }]]);
    expect(renderFeatures(resolution, readings, monthEnd - 10_000).validUntil).toBe(monthEnd);
    expect(renderFeatures(resolution, readings, monthEnd - 10_000, new Set(['other'])).validUntil).toBe(
      monthEnd + 50_000,
    );
  });

  it('returns the same string while nothing in it can change', () => {
    const prepared = preparedOf(SMALL);
    const free = resolve(prepared, plansOf(prepared, { isAuthenticated: false }));
    expect(usageReadsOf(free, undefined).isMetered).toBe(false);
    expect(renderFeatures(free, null, 1).json).toBe(renderFeatures(free, new Map(), 2).json);
    const readings = new Map([['prop_exports', { used: 7 }]]);
    expect(JSON.parse(renderFeatures(free, readings, 3).json)).toMatchObject({
      analytics: { properties: { exports: { state: 'off', allowed: false, used: 7 } } },
    });
    expect(JSON.parse(renderFeatures(free, null, 1).json)).toEqual({
      analytics: {
        properties: { enabled: true, exports: { state: 'off', allowed: false }, seats: 1 },
        allowed: true,
      },
    });
  });
});

/** JSON.stringify of an evaluation in the artifact's order. Objects sort integer keys such as '42' first; the text does not. */
function textOf({ features }: PreparedArtifact, answers: ReturnType<typeof evaluate>['features']): string {
  const members = features.flatMap(({ slug, properties }) => {
    const answer = answers[slug];
    if (answer === undefined) return [];
    const own = properties.map(
      ({ property: { key } }) => `${JSON.stringify(key)}:${JSON.stringify(answer.properties[key])}`,
    );
    const { properties: _, ...verdict } = answer;
    return [`${JSON.stringify(slug)}:{"properties":{${own.join()}},${JSON.stringify(verdict).slice(1)}`];
  });
  return `{${members.join()}}`;
}
