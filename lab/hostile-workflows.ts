// `npm run hostile -- https://address --email you@example.com --password …`: saves ten hostile workflows one after another, runs each and
// checks with it in the preview environment, says how each ended, and deletes what it made. Without an account, as the demo user of a local
// server. `-- --all`: every hostile program, on a local server, in organisations of their own beside one with a healthy workflow, which is
// checked meanwhile; `--only endless` takes one list. Fails if a promise of worker/domains/workflows/README.md is broken.
import { setTimeout as sleep } from 'node:timers/promises';
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { currentUserEndpoints } from '#contracts/console/organisations';
import { workflowRunEndpoints } from '#contracts/console/workflow-runs';
import { workflowEndpoints } from '#contracts/console/workflows';
import { type AccessCheckAnswer, accessEndpoints } from '#contracts/public/access';
import { ENDING_PROGRAMS, ENDLESS_PROGRAMS, READING_PROGRAMS } from '#lab/hostile/hostile-programs';
import { THIEVES } from '#lab/hostile/thieves';
import { signInDemo } from '../dev/demo/demo-account.ts';
import { readOptions } from '../dev/tools/read-options.ts';
import { findServer } from '../dev/tools/running-server.ts';
import { type ApiSession, openApiSession } from '../dev/workspace/api-session.ts';
import {
  createOrganisation,
  createPlan,
  createWorkflow,
  previewOf,
  type Workspace,
} from '../dev/workspace/build-workspace.ts';
import { callPublicApi } from '../dev/workspace/call-public-api.ts';
import { ApiCallError, readAnswer } from '../dev/workspace/endpoint-caller.ts';
import { signInAs } from '../dev/workspace/sign-in.ts';
import { waitUntil } from '../dev/workspace/wait-until.ts';

const LISTS = {
  reading: READING_PROGRAMS,
  ending: ENDING_PROGRAMS,
  thieves: THIEVES,
  endless: ENDLESS_PROGRAMS,
};
const ALL = Object.fromEntries(Object.values(LISTS).flatMap((list) => Object.entries(list)));
/** Of every kind one. */
const TEN = [
  ...['while', 'recursion', 'promises that fork', 'AsyncFunction', 'the context of the platform'],
  ...['an endless sum', 'doubled arrays by concat', 'a regular expression that backtracks'],
  ...['recursion through fields', 'a native microtask loop'],
];
/** Organisations that run programs in turn, because of the limit of 30 runs a minute. */
const HOSTILE_ORGANISATIONS = 4;
const CHECK_EVERY_MS = 100;
const BACK_WITHIN_MS = 3_000;
/** Of a check beside code that takes long to be read. */
const READING_CHECK_MS = 1_000;
/** A customer of the healthy organisation, whom nobody else may see. */
const SECRET = `customer-${crypto.randomUUID()}`;

const { values, positionals } = readOptions(
  'hostile',
  {
    email: { type: 'string' },
    password: { type: 'string' },
    all: { type: 'boolean' },
    only: { type: 'string' },
  },
  'URL',
);
const url = await findServer(positionals[0]);

/** An organisation with a workflow and a key of its preview environment. */
interface Subject extends Workspace {
  readonly workflowId: string;
  readonly key: string;
  remove(): Promise<void>;
}

async function signIn(): Promise<ApiSession> {
  const { email, password } = values;
  if (email === undefined || password === undefined) return signInDemo(url);
  const session = openApiSession(url);
  await readAnswer(await session.send('POST', '/api/auth/sign-in/email', { email, password }), 'The sign-in');
  return session;
}

async function newSubject(workspace: Workspace): Promise<Subject> {
  const { session, orgId } = workspace;
  const name = `Hostile ${Date.now()}`;
  const environmentId = await previewOf(workspace);
  const body = { environmentId, type: 'secret', name } as const;
  const { id: keyId, value: key } = await session.call(apiKeyEndpoints.create, { params: { orgId }, body });
  const workflowId = await createWorkflow(workspace, { name, type: 'dynamic-provisioning' });
  const remove = async () => {
    await session.call(workflowEndpoints.remove, { params: { orgId, workflowId } });
    await session.call(apiKeyEndpoints.remove, { params: { orgId, keyId } });
  };
  return { session, orgId, workflowId, key, remove };
}

/** @throws {Error} unless the answer is 200 */
const check = ({ key }: Subject, userIdentifier = 'hostile@tessera.example') =>
  callPublicApi<AccessCheckAnswer>(url, key, accessEndpoints.check.path, { userIdentifier });

/** Saves the code, and waits until checks run it. @returns the first check with it */
async function save(subject: Subject, compiled: string): Promise<AccessCheckAnswer> {
  const { session, orgId, workflowId } = subject;
  let answer = await check(subject);
  const before = answer.version?.artifactId;
  const params = { orgId, workflowId };
  await session.call(workflowEndpoints.update, { params, body: { source: compiled, compiled } });
  await waitUntil('the preview environment has the saved workflow', async () => {
    answer = await check(subject);
    return answer.version !== null && answer.version.artifactId !== before;
  });
  return answer;
}

/** Saves, checks and runs. @returns how each ended; @throws {Error} if a check or the run is not answered, or shows the secret */
async function attack(subject: Subject, program: string): Promise<string> {
  const { session, orgId, workflowId } = subject;
  let answer: AccessCheckAnswer;
  try {
    answer = await save(subject, program);
  } catch (error) {
    if (error instanceof ApiCallError && error.status === 400) return 'refused when it is saved';
    throw error;
  }
  const params = { orgId, workflowId };
  const { execution } = await session.call(workflowRunEndpoints.run, { params, body: {} });
  if (JSON.stringify([answer, execution]).includes(SECRET)) throw new Error('It shows data of others.');
  const reasons = execution.diagnosticMessages.map((each) => each.slice(0, 80)).join('; ');
  const warnings = answer.warnings.map(({ code }) => code).join(', ') || 'no warning';
  return `check: ${warnings}; run: ${execution.status} ${reasons}`;
}

/** Checks without a pause whether a healthy workflow decides. Times are epoch milliseconds. */
function watch(healthy: Subject) {
  const seen = {
    checks: 0,
    decided: 0,
    undecidedAt: 0,
    decidedAt: Date.now(),
    isDisabled: false,
    longestMs: 0,
  };
  const errors: string[] = [];
  let isStopped = false;
  const watching = (async () => {
    for (; !isStopped; await sleep(CHECK_EVERY_MS)) {
      seen.checks += 1;
      const startedAt = Date.now();
      const answer = await check(healthy, SECRET).catch((error: Error) => void errors.push(error.message));
      seen.longestMs = Math.max(seen.longestMs, Date.now() - startedAt);
      if (!answer) continue;
      const isDecided = answer.warnings.length === 0 && answer.customer.plans.includes('healthy');
      seen.isDisabled ||= answer.warnings.some(({ code }) => code === 'workflow-disabled');
      if (isDecided) seen.decided += 1;
      if (isDecided) seen.decidedAt = startedAt;
      else seen.undecidedAt = Date.now();
    }
  })();
  const stop = async () => {
    isStopped = true;
    await watching;
  };
  return { seen, errors, stop };
}

async function newOrganisation(name: string): Promise<Workspace> {
  const account = { email: `${name}@hostile.example`, password: 'tessera-hostile', name };
  const session = await signInAs(url, account);
  const [own] = await session.call(currentUserEndpoints.organisations, { params: {} });
  return own === undefined ? createOrganisation(session, name) : { session, orgId: own.id };
}

async function runTen(): Promise<void> {
  const session = await signIn();
  const [organisation] = await session.call(currentUserEndpoints.organisations, { params: {} });
  if (organisation === undefined) throw new Error('The account has no organisation.');
  const subject = await newSubject({ session, orgId: organisation.id });
  try {
    for (const name of TEN) console.log(`${name}: ${await attack(subject, ALL[name] ?? '')}`);
  } finally {
    await subject.remove();
  }
}

async function runAll(): Promise<void> {
  const list = Object.entries(LISTS).filter(([name]) => values.only === undefined || name === values.only);
  const stamp = Date.now().toString(36);
  const workspace = await newOrganisation(`healthy-${stamp}`);
  const { session, orgId } = workspace;
  await createPlan(workspace, { name: 'Healthy', slug: 'healthy' });
  const healthy = await newSubject(workspace);
  await save(healthy, "export default () => ['healthy']");
  const organisations: Subject[] = [];
  for (let index = 0; index < HOSTILE_ORGANISATIONS; index++) {
    organisations.push(await newSubject(await newOrganisation(`hostile-${index}-${stamp}`)));
  }
  const { seen, errors, stop } = watch(healthy);
  const broken: string[] = [];
  let [programs, restarts, longest] = [0, 0, 0];
  for (const [kind, entries] of list) {
    for (const [name, program] of Object.entries(entries)) {
      const subject = organisations[programs++ % organisations.length] as Subject;
      const undecidedBefore = seen.undecidedAt;
      seen.longestMs = 0;
      const ended = await attack(subject, program).catch((error: Error) => {
        broken.push(`${name}: ${error.message}`);
        return error.message;
      });
      const endedAt = Date.now();
      while (seen.decidedAt < endedAt && Date.now() < endedAt + 10 * BACK_WITHIN_MS) await sleep(20);
      const isLost = seen.undecidedAt !== undecidedBefore;
      const backAfter = isLost ? Math.max(0, seen.decidedAt - endedAt) : 0;
      if (isLost) restarts += 1;
      longest = Math.max(longest, backAfter);
      // Locally, what reads code shares the process of workflows.
      const isShared = kind === 'endless' || kind === 'reading';
      if (isLost && !isShared) broken.push(`${name}: the healthy workflow did not decide`);
      if (kind === 'reading' && seen.longestMs > READING_CHECK_MS) {
        broken.push(`${name}: a check beside it took ${seen.longestMs} ms`);
      }
      if (backAfter > BACK_WITHIN_MS) broken.push(`${name}: back after ${backAfter} ms`);
      console.log(
        `${kind} · ${name}: ${ended}${isLost ? ` (healthy again ${backAfter} ms later)` : ''}, longest check ${seen.longestMs} ms`,
      );
    }
  }
  await stop();
  const { disabledIn } = await session.call(workflowEndpoints.get, {
    params: { orgId, workflowId: healthy.workflowId },
  });
  if (disabledIn.length > 0 || seen.isDisabled) broken.push('The healthy workflow was disabled.');
  broken.push(...errors);
  console.log(`
${programs} programs. The healthy workflow: ${seen.checks} checks, ${seen.checks - errors.length} answered 200, ${seen.decided} decided.
It did not decide beside ${restarts} programs, and was back at most ${longest} ms after their answers.
${broken.length === 0 ? 'Every promise was kept.' : `Broken promises:\n${broken.join('\n')}`}`);
  if (broken.length > 0) process.exitCode = 1;
}

try {
  await (values.all ? runAll() : runTen());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
