// Answers of the public API as an earlier release gave them, in recorded-answers.jsonl: a line for each, `[request, status, answer]`, in the order
// of the calls. To record them anew, for a change that may alter answers:
//   VITE_RECORD_ANSWERS=1 npx vitest run --config tests/vitest.config.ts --project worker tests/worker/access/recorded -u
// Instants and generated ids differ with each run: they are recorded as `<time>` and as their prefix.
import { exports } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import recorded from './recorded-answers.jsonl?raw';
import { type RecordedRequest, recordedRequests } from './recorded-requests.ts';
import { type RecordedWorld, recordedWorld } from './recorded-world.ts';

type Pair = [request: RecordedRequest, status: number, answer: unknown];

const isRecording = import.meta.env.VITE_RECORD_ANSWERS === '1';
const SEED = 16;
/** A hundred calls of the console's API create the world. */
const PATIENT_MS = 240_000;
let world: RecordedWorld;

beforeAll(async () => {
  world = await recordedWorld();
}, PATIENT_MS);

async function answerTo({
  call,
  key,
  query,
  headers,
  body,
  text,
}: RecordedRequest): Promise<[number, unknown]> {
  const named = body as { userJwt?: string } | undefined;
  const sent = named?.userJwt === undefined ? body : { ...named, userJwt: world.tokens[named.userJwt] };
  const response = await exports.default.fetch(
    new Request(`http://localhost:4001/api/v1/${call}${query ?? ''}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== null && { authorization: `Bearer ${world.keys[key]}` }),
        ...headers,
      },
      body: text ?? JSON.stringify(sent),
    }),
  );
  return [response.status, normalised(await response.json())];
}

function normalised(value: unknown): unknown {
  if (typeof value === 'number') return value > 1e12 ? '<time>' : value;
  if (typeof value === 'string') {
    return value.replace(/\b([a-z]{2,4})_(?:[0-9A-Za-z]{26}|stored_\w+)/g, '$1_');
  }
  if (Array.isArray(value)) return value.map(normalised);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, normalised(each)]));
}

/** `answer` without the fields that `known` does not have, and with its explanations' sentences, which are for people. Lists stay whole. */
function withoutAdded(known: unknown, answer: unknown): unknown {
  if (Array.isArray(known) && Array.isArray(answer)) {
    return answer.map((each, index) => withoutAdded(known[index], each));
  }
  if (typeof known !== 'object' || known === null || typeof answer !== 'object' || answer === null)
    return answer;
  const own = known as Record<string, unknown>;
  const isSentence = (name: string, value: unknown) =>
    name === 'reason' && Object.hasOwn(own, 'decidedBy') && typeof value === 'string' && value !== '';
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, each]) => {
      if (!Object.hasOwn(own, name)) return [];
      return [[name, isSentence(name, each) ? own[name] : withoutAdded(own[name], each)]];
    }),
  );
}

it.runIf(isRecording)('300 answers are recorded', async () => {
  const requests = recordedRequests(SEED);
  expect(requests).toHaveLength(300);
  const lines = [];
  for (const request of requests) lines.push(JSON.stringify([request, ...(await answerTo(request))]));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('recorded-answers.jsonl');
});

it.skipIf(isRecording)(
  '300 answers of an earlier release differ from those of today in added fields and reworded explanations only',
  async () => {
    const pairs = recorded
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Pair);
    expect(pairs).toHaveLength(300);
    for (const [request, status, answer] of pairs) {
      const [statusNow, answerNow] = await answerTo(request);
      expect([statusNow, withoutAdded(answer, answerNow)], JSON.stringify(request)).toEqual([status, answer]);
    }
  },
);
