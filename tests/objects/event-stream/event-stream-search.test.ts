// Search finds events by every field and environment, each on exactly one page.
import { runDurableObjectAlarm } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { EventGroup } from '#contracts/internal/event-batch';
import { idsOf, NOON, someEvent, someEvents, someRun, someStream } from '#lab/fixtures/recorded-events';
import type { EventSearch } from '#objects/event-stream/event-reader';

/** Groups as isolates of earlier versions sent them. */
const withoutSubjects = (groups: readonly EventGroup[]): EventGroup[] =>
  groups.map((group) => ({ ...group, terms: group.terms.replace(/\bsubjects?0\w*/g, '') }));

describe('a search for a subject', () => {
  const ids = ['user_1', 'user_10', 'User_1', 'user 1', '---', '--', 'x'.repeat(40), `${'x'.repeat(39)}y`];

  it('finds exactly its own events, on all pages, in chunks of this and of earlier versions', async () => {
    const stream = await someStream();
    const expected = new Map<string, string[]>(ids.map((id) => [id, []]));
    for (let round = 0; round < 150; round++) {
      const events = ids.map((subjectIdentifier, index) =>
        // One of the identifiers is the further one of an event.
        index === 1
          ? someEvent({ time: NOON + round, secondarySubjectIdentifiers: [subjectIdentifier] })
          : someEvent({ time: NOON + round, subjectIdentifier }),
      );
      for (const [index, { id }] of events.entries()) expected.get(ids[index] ?? '')?.push(id);
      const { orgId, groups } = stream.batchOf(events);
      await stream.stub.appendGroups({ orgId, groups: round % 3 === 0 ? withoutSubjects(groups) : groups });
    }
    for (const environmentId of [null, 'env_one']) {
      for (const subject of ids) {
        const found = await stream.findAll({ subject, environmentId, limit: 20 });
        expect(found, subject).toEqual(expected.get(subject)?.toReversed());
      }
    }
    expect(await stream.findAll({ subject: 'user' })).toEqual([]);
  });

  it('finds a rare one among many with the same words without reading them', async () => {
    const stream = await someStream();
    const rare = someEvent({ time: NOON - 1_000_000, subjectIdentifier: 'user-1' });
    await stream.append([rare]);
    for (let round = 0; round < 400; round++)
      await stream.append([someEvent({ time: NOON + round, subjectIdentifier: 'user_1' })]);
    const page = await stream.stub.search({ subject: 'user-1', limit: 20 });
    expect([idsOf(page.events), page.nextQueryTimeTo]).toEqual([[rare.id], null]);
  });

  it('finds it again after the index was rebuilt', async () => {
    const stream = await someStream();
    const wanted = someEvent({ subjectIdentifier: '***' });
    const { orgId, groups } = stream.batchOf([wanted, ...someEvents(60)]);
    await stream.stub.appendGroups({ orgId, groups: withoutSubjects(groups) });
    await stream.stub.rebuildIndex();
    await runDurableObjectAlarm(stream.stub);
    expect(await stream.findAll({ subject: '***' })).toEqual([wanted.id]);
  });
});

describe("a search for a workflow's runs", () => {
  const failed = (changes = {}) =>
    someRun({ success: false, status: 'failed', diagnosticMessages: ['It threw', 'at line 3'], ...changes });

  async function runsOf(
    stream: Awaited<ReturnType<typeof someStream>>,
    workflowId: string,
    isFailed: boolean,
  ) {
    const runs = [];
    let timeTo: number | null = null;
    do {
      const page: Awaited<ReturnType<typeof stream.stub.workflowRuns>> = await stream.stub.workflowRuns({
        workflowId,
        isFailed,
        timeTo,
        limit: 20,
      });
      runs.push(...page.runs);
      timeTo = page.nextQueryTimeTo;
    } while (timeTo !== null);
    return runs;
  }

  it('finds each of them, newest first, and the failed ones alone, with their reasons', async () => {
    const stream = await someStream();
    for (let round = 0; round < 120; round++) {
      const executions = round % 40 === 7 ? [failed(), someRun({ workflowId: 'wf_2' })] : [someRun()];
      await stream.append([
        someEvent({ time: NOON + round, ...(round % 3 === 1 && { executions }) }),
        someEvent({ time: NOON + round }),
      ]);
    }
    expect(await runsOf(stream, 'wf_1', false)).toHaveLength(40);
    const found = await runsOf(stream, 'wf_1', true);
    expect(found.map(({ time }) => time)).toEqual([NOON + 7]);
    expect(found[0]).toMatchObject({
      envId: 'env_one',
      subjectIdentifier: 'ada@example.com',
      status: 'failed',
      reason: 'It threw',
      wallTime: 5,
    });
    expect(await runsOf(stream, 'wf_2', false)).toMatchObject([{ status: 'done', reason: null }]);
    expect(await runsOf(stream, 'wf_2', true)).toEqual([]);
    expect(await runsOf(stream, 'wf', false)).toEqual([]);
  });

  it('finds a rare failure among many runs without reading them, also after a rebuild', async () => {
    const stream = await someStream();
    await stream.append([someEvent({ time: NOON - 1_000_000, executions: [failed()] })]);
    await stream.fold();
    for (let round = 0; round < 80; round++) {
      await stream.append([someEvent({ time: NOON + round * 61_000, executions: [someRun()] })]);
    }
    await stream.stub.rebuildIndex();
    await runDurableObjectAlarm(stream.stub);
    const page = await stream.stub.workflowRuns({ workflowId: 'wf_1', isFailed: true, limit: 20 });
    expect([page.runs.length, page.nextQueryTimeTo]).toEqual([1, null]);
  });
});

describe('a search text of signs', () => {
  it.each(['"', '*', '(', '(*', '😀', '---'])('finds %s as it is', async (text) => {
    const stream = await someStream();
    const wanted = someEvent({ subjectIdentifier: `Bob ${text} Co` });
    await stream.append([...someEvents(60), wanted, ...someEvents(60)]);
    expect(await stream.findAll({ text })).toEqual([wanted.id]);
    // Beside words, signs are ignored as within them.
    expect(await stream.findAll({ text: `bob ${text === '😀' ? '' : text}` })).toEqual([wanted.id]);
  });
});

describe('a search text', () => {
  it.each([
    [
      'subject',
      { subjectIdentifier: 'grace.hopper@navy.mil' },
      ['grace', 'hopper@navy', 'navy.mil', 'GRACE.HOP'],
    ],
    [
      'subject in another script',
      { subjectIdentifier: 'Ævar Łukasz-7 王小明' },
      ['ævar', 'łukasz-7', '王小', '7'],
    ],
    ['subject with an emoji', { subjectIdentifier: 'user🦄x' }, ['user🦄']],
    ['further identifiers', { secondarySubjectIdentifiers: ['cus_Q1w2e3'] }, ['cus_Q1w2', 'q1w2e3']],
    ['plan', { planSlugs: ['starter', 'enterprise-2024'] }, ['enterprise', 'enterprise-2024', '2024']],
    [
      'feature of the answer',
      { features: '{"audit-log":{"properties":{}}}', featureSlugs: ['audit-log'] },
      ['audit-l'],
    ],
    [
      'feature without an answer',
      { features: null, response: '{}', featureSlugs: ['seats-used'] },
      ['seats-u'],
    ],
    [
      'Stripe event type',
      { stripeEventType: 'customer.subscription.deleted' },
      ['customer.subscription', 'deleted'],
    ],
    ['country', { place: { country: 'JP', city: null, continent: 'AS' } }, ['jp']],
    [
      'city',
      { place: { country: null, city: 'São Paulo', continent: 'SA' } },
      ['sao paulo', 'São', 'paulo sao'],
    ],
    ['Ray id', { cfRay: '8f2b3c4d5e6f7a8b-NRT' }, ['8f2b3c', '8F2B3C4D5E6F7A8B', '8f2b3c4d5e6f7a8b-nrt']],
    [
      'error',
      { isError: true, error: 'usage-blocked', features: null, response: '{}' },
      ['usage-bl', 'blocked'],
    ],
  ])('finds an event by its %s', async (_, changes, texts) => {
    const stream = await someStream();
    const wanted = someEvent(changes);
    await stream.append([...someEvents(60), wanted, ...someEvents(60)]);
    for (const text of texts) expect(await stream.findAll({ text }), text).toEqual([wanted.id]);
  });

  it('does not match similar text', async () => {
    const stream = await someStream();
    await stream.append([
      someEvent({ subjectIdentifier: 'pacman', planSlugs: ['pro-plan'] }),
      someEvent({ subjectIdentifier: 'ann', planSlugs: ['acme'] }),
    ]);
    expect(await stream.findAll({ text: 'acma' })).toEqual([]);
    expect(await stream.findAll({ text: 'pacman acme' })).toEqual([]); // each of another event
    expect(await stream.findAll({ text: 'plan-pro' })).toEqual([]); // a slug's words in another order
    expect(await stream.findAll({ text: 'acman' })).toEqual([]);
  });

  it('finds a rare term among frequent ones, however old', async () => {
    const stream = await someStream();
    const rare = [0, 333, 777].map((index) =>
      someEvent({ time: NOON + index * 1000, subjectIdentifier: `rare-${index}`, cfRay: `${index}abc` }),
    );
    await stream.append(rare);
    for (let index = 0; index < 800; index += 20) {
      const batches = Array.from({ length: 20 }, (_, offset) =>
        stream.append(someEvents(2, () => ({ time: NOON + (index + offset) * 1000 }))),
      );
      await Promise.all(batches);
    }
    expect(await stream.findAll({ text: 'rare' })).toEqual(idsOf(rare).reverse());
    expect(await stream.findAll({ text: 'rare', environmentId: 'env_one' })).toEqual(idsOf(rare).reverse());
    expect(await stream.findAll({ text: 'rare', environmentId: 'env_two' })).toEqual([]);
    expect(await stream.findAll({ text: 'rare-0 london' })).toEqual([rare[0]!.id]);
    expect(await stream.findAll({ text: '333abc' })).toEqual([rare[1]!.id]);
    expect(await stream.findAll({ text: 'starter' })).toHaveLength(1603);
  });

  it.each([
    ...['"', '""', "'", '*', '**', '^', '-', '()', ')(', ':', '\\', '{}', '.', '%', '_', '\u0000', '🏳️‍🌈', '​'],
    ...[
      'NEAR(',
      'NEAR(ada london, 5)',
      'ada OR starter',
      'AND',
      'NOT ada',
      'ada AND',
      'terms:ada',
      '{terms}:ada',
    ],
    ...[
      "%' OR 1=1--",
      "'; DROP TABLE chunk;--",
      '"ada"*',
      'a"b',
      '-ada',
      '+ada',
      'ada*',
      '^ada',
      'env',
      'null',
    ],
  ])('is never a query language: %j', async (text) => {
    const stream = await someStream();
    const events = someEvents(3);
    await stream.append(events);
    const found = await stream.findAll({ text });
    expect(idsOf(events)).toEqual(expect.arrayContaining(found));
    expect(await stream.findAll()).toHaveLength(3);
  });

  it('without a term matches nothing, and a blank one matches everything', async () => {
    const stream = await someStream();
    await stream.append(someEvents(3));
    for (const text of ['*', '"', '-- --']) expect(await stream.findAll({ text })).toEqual([]);
    for (const text of ['', '  ', '\t']) expect(await stream.findAll({ text })).toHaveLength(3);
  });
});

describe('criteria', () => {
  it('each restrict the events, and all together, near the top and far below it', async () => {
    const stream = await someStream();
    const wanted = someEvent({
      time: NOON + 5,
      type: 'cu',
      isDenied: true,
      planSlugs: ['team-plan'],
      featureSlugs: ['seats'],
      features: null,
      response: '{}',
      place: { country: 'JP', city: null, continent: 'AS' },
    });
    const others = [
      someEvent({ planSlugs: ['team-plan-2'], featureSlugs: ['seats-2'], features: null, response: '{}' }),
      someEvent({ isError: true, error: 'invalid-request', features: null, response: '{}' }),
      someEvent({ warnings: [{ code: 'usage-unknown' }] }),
    ];
    await stream.append([wanted, ...others]);
    const all: Partial<EventSearch> = {
      type: 'cu',
      outcome: 'denied',
      plan: 'team-plan',
      feature: 'seats',
      country: 'JP',
      timeFrom: NOON + 5,
      environmentId: 'env_one',
    };
    const expectFound = async () => {
      for (const [name, value] of Object.entries(all).filter(([name]) => name !== 'environmentId')) {
        const found = await stream.findAll({ [name]: value });
        expect(
          found.filter((id) => id === wanted.id),
          name,
        ).toEqual([wanted.id]);
        if (name !== 'timeFrom') expect(found, name).toEqual([wanted.id]);
      }
      expect(await stream.findAll({ ...all, text: 'ada' })).toEqual([wanted.id]);
      expect(await stream.findAll({ ...all, outcome: 'warning' })).toEqual([]);
      expect(await stream.findAll({ ...all, timeFrom: NOON + 6 })).toEqual([]);
    };
    expect(await stream.findAll({ outcome: 'error' })).toEqual([others[1]!.id]);
    expect(await stream.findAll({ outcome: 'warning' })).toEqual([others[2]!.id]);
    await expectFound();
    // As many groups as are not scanned in order.
    await Promise.all(
      Array.from({ length: 80 }, (_, index) => stream.append([someEvent({ time: NOON + 20_000 + index })])),
    );
    await expectFound();
    expect(await stream.findAll({ timeFrom: NOON + 20_079 })).toHaveLength(1);
    expect(await stream.findAll({ outcome: 'allowed' })).toHaveLength(81);
  });

  it('by environment include the events of no environment', async () => {
    const stream = await someStream();
    const times = [3, 1, 2, 4];
    const [own, payment, other, later] = times.map((offset, index) =>
      someEvent({ time: NOON + offset * 60_000, envId: ['env_one', '', 'env_two', ''][index]! }),
    );
    await stream.append([own!, payment!, other!, later!]);
    for (const text of ['', 'ada']) {
      const found = await stream.findAll({ environmentId: 'env_one', text });
      expect(found).toEqual([later!.id, own!.id, payment!.id]);
    }
  });
});

describe('pages', () => {
  it('have every event once, however many share a millisecond and a batch', async () => {
    const stream = await someStream();
    const events = someEvents(1_000, (index) => ({
      time: NOON + (index < 700 ? 3 : index % 7),
      envId: index % 3 === 0 ? 'env_two' : 'env_one',
      subjectIdentifier: index % 2 === 0 ? 'even' : 'odd',
    }));
    for (let start = 0; start < 1_000; start += 90) await stream.append(events.slice(start, start + 90));
    for (const limit of [7, 50, 100, 999, 1_000]) {
      const ids = await stream.findAll({ limit });
      expect(new Set(ids).size).toBe(1_000);
      expect(ids).toHaveLength(1_000);
    }
    const even = await stream.findAll({ limit: 13, environmentId: 'env_two', text: 'even' });
    const expected = events.filter((each) => each.envId === 'env_two' && each.subjectIdentifier === 'even');
    expect(even.sort()).toEqual(idsOf(expected).sort());
  });

  it('have every event once when a thousand batches share a millisecond', async () => {
    const stream = await someStream();
    const events = someEvents(1_000);
    for (let start = 0; start < 1_000; start += 100) {
      await Promise.all(events.slice(start, start + 100).map((event) => stream.append([event])));
    }
    const [first] = (await stream.stub.search({ limit: 50 })).events;
    expect(first).toBeDefined();
    const ids = await stream.findAll();
    expect(ids).toHaveLength(1_000);
    expect(new Set(ids).size).toBe(1_000);
  });

  it('neither skip nor repeat existing events when new or late ones arrive', async () => {
    const stream = await someStream();
    const events = someEvents(300, (index) => ({ time: NOON + Math.floor(index / 60) }));
    await stream.append(events);
    const seen: string[] = [];
    let timeTo: number | null = null;
    do {
      const page = await stream.stub.search({ limit: 11, timeTo });
      seen.push(...idsOf(page.events));
      timeTo = page.nextQueryTimeTo;
      await stream.append(someEvents(5, (index) => ({ time: NOON + index, subjectIdentifier: 'late' })));
    } while (timeTo !== null && seen.length < 3_000);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(idsOf(events)));
  });

  it('are sorted newest first when batches arrive late and overlap', async () => {
    const stream = await someStream();
    const events = someEvents(200, (index) => ({ time: NOON + index }));
    const shuffled = [
      ...[events.slice(150), events.filter((_, index) => index % 2 === 0 && index < 150)],
      ...[events.filter((_, index) => index % 2 === 1 && index < 150)],
    ];
    for (const part of shuffled) await stream.append(part);
    expect(await stream.findAll({ limit: 9 })).toEqual(idsOf(events).reverse());
  });

  it('have no next page exactly when nothing older is left', async () => {
    const stream = await someStream();
    expect(await stream.stub.search({ limit: 50 })).toEqual({ events: [], nextQueryTimeTo: null });
    await stream.append(someEvents(100, (index) => ({ time: NOON + index })));
    const first = await stream.stub.search({ limit: 50 });
    const second = await stream.stub.search({ limit: 50, timeTo: first.nextQueryTimeTo });
    expect([first.events.length, second.events.length]).toEqual([50, 50]);
    expect(first.nextQueryTimeTo).not.toBeNull();
    expect(second.nextQueryTimeTo).toBeNull();
    expect((await stream.stub.search({ limit: 100 })).nextQueryTimeTo).toBeNull();
  });

  it('start before the given instant', async () => {
    const stream = await someStream();
    const events = someEvents(3, (index) => ({ time: NOON + index }));
    await stream.append(events);
    const endingAt = async (timeTo: number) => idsOf((await stream.stub.search({ limit: 9, timeTo })).events);
    expect(await endingAt(NOON + 2)).toEqual([events[1]!.id, events[0]!.id]);
    expect(await endingAt(NOON)).toEqual([]);
    expect(await endingAt(0)).toEqual([]);
    expect(await endingAt(Number.MAX_VALUE)).toHaveLength(3);
  });
});

it('a search by environment works beside a far busier one', async () => {
  const stream = await someStream();
  const quiet = someEvents(3, (index) => ({ envId: 'env_quiet', time: NOON + index }));
  await stream.append(quiet);
  const busy = someEvents(2_000, (index) => ({ envId: 'env_busy', time: NOON + 10 + index }));
  for (let start = 0; start < 2_000; start += 500) await stream.append(busy.slice(start, start + 500));
  const page = await stream.stub.search({ environmentId: 'env_quiet', limit: 50 });
  expect(idsOf(page.events)).toEqual(idsOf(quiet).reverse());
  expect(page.nextQueryTimeTo).toBeNull();
});
