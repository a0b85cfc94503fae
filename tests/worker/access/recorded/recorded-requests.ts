// Requests for the recorded answers, drawn from a seed, so that the same seed draws the same requests.
import { randomFrom } from '#lab/fixtures/seeded-random';

export interface RecordedRequest {
  readonly call: 'access-checks' | 'counter-updates';
  /** A name of RecordedWorld.keys; null for none. */
  readonly key: string | null;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `userJwt` is a name of RecordedWorld.tokens. */
  readonly body?: unknown;
  /** Sent as it is in place of `body`. */
  readonly text?: string;
}

const SLUGS = ['data-exports', 'team-seats', 'api-calls', 'reports'];
const METERS = [
  ['data-exports', 'exports'],
  ['team-seats', 'members'],
  ['api-calls', 'calls'],
  ['api-calls', 'storage'],
] as const;
const EMAILS = [
  'pro@rec.example',
  'both@rec.example',
  'plain@rec.example',
  'gone@rec.example',
  'twin@rec.example',
  'dora@rec.example',
  'grant@rec.example',
  'over@rec.example',
  'nobody-1',
];
const IDS = ['RecPro', 'RecPlus', 'RecBoth', 'RecPlain', 'RecGone', 'RecTwinA', 'RecTwinB'];
/** Never counted for: usage that is up to a second old is the same. */
const CALM = 'calm@rec.example';

export function recordedRequests(seed: number): RecordedRequest[] {
  const { next, below, pick: one } = randomFrom(seed);
  const isDrawn = (share: number) => next() < share;
  const some = <T>(items: readonly T[]) => items.filter(() => isDrawn(0.4));

  const whoAt = (key: string) =>
    isDrawn(0.5) ? one(EMAILS) : `cus_${one(IDS)}${key === 'live' ? 'Live' : ''}`;
  const counted = () => {
    const [feature, property] = one(METERS);
    const isUnique = property === 'members' ? isDrawn(0.85) : isDrawn(0.1);
    return {
      feature,
      property,
      ...(isUnique ? { resourceId: `r${below(6)}` } : isDrawn(0.7) && { by: one([1, 1, 2, 3]) }),
      ...(isDrawn(0.2) && { idempotencyKey: `key-${below(5)}` }),
    };
  };
  const check = (): RecordedRequest => {
    const key = one(['secret', 'secret', 'live', 'public']);
    const isPublic = key === 'public';
    const subject = isDrawn(0.15)
      ? {}
      : isPublic || isDrawn(0.15)
        ? { userJwt: one(['dora', 'pro', 'expired', 'forged', 'nobody']) }
        : { userIdentifier: whoAt(key) };
    const listed = isDrawn(0.65) ? some([...SLUGS, 'no-such-feature']) : [];
    const isKnown = 'userIdentifier' in subject || ['dora', 'pro'].includes(subject.userJwt ?? '');
    return {
      call: 'access-checks',
      key,
      ...(isDrawn(0.12) && { query: '?explain=1' }),
      body: {
        ...subject,
        ...(listed.length > 0 && { features: listed }),
        ...(isDrawn(0.3) && { consistency: one(['strict', 'local']) }),
        ...(isKnown && isDrawn(0.3) && { consume: counted() }),
      },
    };
  };
  const update = (): RecordedRequest => {
    const key = one(['secret', 'secret', 'live']);
    const count = counted();
    return {
      call: 'counter-updates',
      key,
      body: {
        ...(isDrawn(0.1) ? { userJwt: one(['dora', 'pro']) } : { userIdentifier: whoAt(key) }),
        ...count,
        ...('resourceId' in count
          ? isDrawn(0.25) && { release: true }
          : isDrawn(0.2) && { by: one([-1, -2, -5]) }),
        ...(isDrawn(0.5) && { enforce: true }),
      },
    };
  };
  const drawn = Array.from({ length: 215 }, () => (isDrawn(0.55) ? check() : update()));
  return [...ofCalm(), ...ofEarlierVersion(), ...ofWorkflows(), ...refused(), ...drawn];
}

function ofCalm(): RecordedRequest[] {
  return [{ userIdentifier: CALM }, { userIdentifier: CALM, features: ['api-calls'] }, {}].flatMap(
    (subject) =>
      ['bounded', 'local', 'strict'].map((consistency) => ({
        call: 'access-checks' as const,
        key: 'secret',
        body: { ...subject, consistency },
      })),
  );
}

function ofEarlierVersion(): RecordedRequest[] {
  const key = 'earlier';
  const check = (more: object = {}): RecordedRequest => ({
    call: 'access-checks',
    key,
    body: { userIdentifier: 'ada', ...more },
  });
  const update = (property: string, more: object): RecordedRequest => ({
    call: 'counter-updates',
    key,
    body: { userIdentifier: 'ada', feature: 'film', property, ...more },
  });
  return [
    check(),
    check({ features: ['film'] }),
    update('minutes', { by: 5 }),
    update('minutes', { by: 5, enforce: true }),
    update('frames', { by: 2, enforce: true }),
    update('frames', { by: 2, enforce: true }),
    check({ consume: { feature: 'film', property: 'frames' } }),
    check({ consume: { feature: 'film', property: 'frames' } }),
    check({ consume: { feature: 'film', property: 'minutes', by: 3 } }),
    update('frames', { by: 2 }),
    { ...check({ features: ['film'] }), query: '?explain=1' },
    { call: 'access-checks', key, body: {} },
  ];
}

function ofWorkflows(): RecordedRequest[] {
  const call = 'access-checks';
  return ['eve', 'mallory', 'mischief', 'trudy', 'oscar'].flatMap((userIdentifier) => [
    { call, key: 'workflows', body: { userIdentifier } },
    { call, key: 'workflows', body: { userIdentifier, features: ['team-seats'] } },
    { call, key: 'workflows', query: '?explain=1', body: { userIdentifier } },
  ]);
}

/** Requests that are answered with an error, or with a warning for their form. */
function refused(): RecordedRequest[] {
  const subject = { userIdentifier: 'nobody-2' };
  const meter = { feature: 'api-calls', property: 'calls' };
  const check = (body: unknown, more: Partial<RecordedRequest> = {}): RecordedRequest => ({
    call: 'access-checks',
    key: 'secret',
    body,
    ...more,
  });
  const update = (body: unknown, more: Partial<RecordedRequest> = {}): RecordedRequest => ({
    call: 'counter-updates',
    key: 'secret',
    body,
    ...more,
  });
  return [
    check({}, { key: null }),
    check({}, { key: 'unknown' }),
    check(subject, { key: 'public' }),
    check(subject, { key: 'public', query: '?explain=1' }),
    check(subject, { key: 'empty' }),
    check(subject, { query: '?explian=1&x=2' }),
    check(subject, { query: '?explain=maybe' }),
    check({ ...subject, userJwt: 'dora' }),
    check({ userIdentifier: '' }),
    check({ userIdentifier: 7 }),
    check({ userIdentifier: ' x' }),
    check({ userIdentifier: 'cus_Unheard1' }),
    check({ user: 'ada' }),
    check({ features: [] }),
    check({ features: ['__proto__', 'A B'] }),
    check({ features: ['reports', 'reports'] }),
    check({ consistency: 'exact' }),
    check({ consume: meter }),
    check({ ...subject, consume: { ...meter, by: 0 } }),
    check({ ...subject, consume: { ...meter, by: 1, resourceId: 'r1' } }),
    check({ ...subject, consume: { feature: 'no-such-feature', property: 'calls' } }),
    check({ ...subject, consume: { feature: 'team-seats', property: 'seats' } }),
    check({ ...subject, features: ['reports'], consume: meter }),
    check({ ...subject, consume: meter }, { key: 'empty' }),
    check({ ...subject, consume: meter }, { headers: { 'idempotency-key': 'header-1' } }),
    check({ ...subject, consume: meter }, { headers: { 'idempotency-key': 'header-1' } }),
    check({ userJwt: 'dora', consume: meter }, { key: 'public' }),
    check(undefined, { text: '{"userIdentifier":' }),
    check(undefined, { text: '[1]' }),
    check({}, { headers: { 'content-type': 'text/plain' } }),
    check({}, { headers: { 'content-encoding': 'gzip' } }),
    update({ ...subject, ...meter }, { key: null }),
    update({ ...subject, ...meter }, { key: 'public' }),
    update({ ...subject, ...meter }, { key: 'empty' }),
    update(meter),
    update({ ...meter, userJwt: 'expired' }),
    update({ ...meter, userJwt: 'forged' }),
    update({ ...subject, feature: 'api-calls' }),
    update({ ...subject, feature: 'no-such-feature', property: 'calls' }),
    update({ ...subject, feature: 'api-calls', property: 'nothing' }),
    update({ ...subject, feature: 'team-seats', property: 'seats' }),
    update({ ...subject, ...meter, by: 1.5 }),
    update({ ...subject, ...meter, by: 10 ** 13 }),
    update({ ...subject, ...meter, by: 1, resourceId: 'r1' }),
    update({ ...subject, ...meter, release: true }),
    update({ ...subject, ...meter, idempotencyKey: 'same', by: 2 }),
    update({ ...subject, ...meter, idempotencyKey: 'same', by: 2 }),
    update({ ...subject, ...meter, idempotencyKey: 'same', by: 3 }),
    update({ ...subject, ...meter, enforce: true, by: 50 }),
  ];
}
