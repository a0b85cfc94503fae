// Who may import whom inside the Worker and the console. Between packages, runtime, objects, Worker and console the compiler refuses what the
// references in their tsconfig.json do not name.
import { offeredFiles } from './offered-files.ts';
import type { Import } from './source-tree.ts';

const domainFile = /^worker\/domains\/([^/]+)\/(.+)$/;
/** Bundled as a text, for dynamic workers. */
const CODE_READER = 'worker/domains/workflow-code/reader/';
const DEVELOPMENT_ENTRY = 'worker/development.ts';
const DEVELOPMENT_TOOLS = 'worker/domains/development/';
const webDomain = /^web\/domains\/([^/]+)\//;

/** The layer of a file, by its path relative to the root. */
export function layerOf(path: string): string {
  const [top, second] = path.split('/');
  if (top === 'packages') return second ?? '';
  if (top === 'web') return webLayerOf(path);
  if (top !== 'worker') return top ?? '';
  if (path === 'worker/env.ts' || path === 'worker/settings.ts') return 'env';
  return path.split('/').length === 2 ? 'root' : (second ?? '');
}

/** The console's layers, lowest first: each may import itself and the layers before it. */
const webLayers = [
  ['web-base', /^web\/((clock|paths|toast)\.ts$|theme\/)/],
  ['web-api', /^web\/api\//],
  ['web-session', /^web\/session\//],
  ['web-ui', /^web\/ui\//],
  ['web-values', /^web\/values\//],
  ['web-forms', /^web\/forms\//],
  ['web-domains', /^web\/domains\//],
  ['web-shell', /^web\/shell\//],
  ['web-routes', /^web\/routes\//],
] as const;

/** Files that belong to no layer, such as main.tsx and router.tsx, are on top. */
function webLayerOf(path: string): string {
  return webLayers.find(([, pattern]) => pattern.test(path))?.[0] ?? 'web';
}

/** The Worker's layers that each of them may import, itself apart, and the console's. The finer rules are in `reasonAgainst`. */
const allowed = new Map<string, readonly string[]>([
  ['platform', ['env']],
  ['env', ['platform']],
  ['db', ['platform', 'env']],
  ['queue', ['platform', 'db', 'env']],
  ['http', ['platform', 'db', 'env']],
  ['domains', ['http', 'platform', 'db', 'queue', 'env']],
  ['root', ['http', 'platform', 'db', 'queue', 'env', 'domains']],
  ...webLayers.map(([layer], at): [string, string[]] => [
    layer,
    layer === 'web-ui' ? ['web-base'] : webLayers.slice(0, at).map(([lower]) => lower),
  ]),
  ['web', webLayers.map(([layer]) => layer)],
]);

/** Why `path` may not have this import, or null when it may. Packages are free but for contracts and engine. */
export function reasonAgainst(path: string, { specifier, target, isTypeOnly }: Import): string | null {
  const from = layerOf(path);
  const isServing = /^(worker|durable-objects|runtime)\//.test(path) && !path.startsWith(CODE_READER);
  if (isServing && (target?.startsWith(CODE_READER) || /^(acorn|acorn-walk)$/.test(specifier))) {
    return 'no text of a customer is parsed in the isolate that answers checks: the parser is for the code reader, a dynamic worker';
  }
  if (target === null) return packageReason(from, specifier);
  if (
    target.startsWith(DEVELOPMENT_TOOLS) &&
    !path.startsWith(DEVELOPMENT_TOOLS) &&
    path !== DEVELOPMENT_ENTRY
  )
    return `only ${DEVELOPMENT_ENTRY} imports /dev, so that it is not in what is deployed`;
  if (target === DEVELOPMENT_ENTRY && isServing)
    return 'the entry point of a development server is imported by nothing of the product';
  const to = layerOf(target);
  const layers = allowed.get(from);
  if (from === 'web-ui' && !allowed.has(to)) return uiReason(target);
  if (layers !== undefined && allowed.has(to) && to !== from && !layers.includes(to)) {
    return `${from} may import ${listed(layers)}, not ${to}`;
  }
  if (from === 'sdk' && to !== 'sdk') return sdkReason(target, isTypeOnly);
  if (to === 'sdk' && from !== 'sdk')
    return 'nothing of the product imports the client: it is made for applications of others';
  if (from === 'engine' && to === 'contracts' && !isTypeOnly) return engineReason(target);
  if (to === 'durable-objects' && isRefusedOfObjects(path, target)) {
    return 'the Worker reaches objects through durable-objects/stubs.ts; index.ts exports the classes';
  }
  if (from === 'contracts') return contractReason(path, target);
  if (from === 'domains') return foreignDomainReason(path, target);
  if (from === 'web-domains' && to === 'web-domains' && webDomainOf(path) !== webDomainOf(target)) {
    return 'domains of the console never import each other';
  }
  if (from === 'web-ui' && to === 'web-base' && !/^web\/(theme\/|(clock|toast)\.ts$)/.test(target)) {
    return 'web/ui knows no domain: of the console it may import web/theme, web/clock.ts and web/toast.ts only';
  }
  return null;
}

function isRefusedOfObjects(path: string, target: string): boolean {
  return path.startsWith('worker/') && path !== 'worker/index.ts' && target !== 'durable-objects/stubs.ts';
}

function uiReason(target: string): string | null {
  const isText = target.startsWith('packages/engine/text/');
  return isText ? null : 'web/ui knows no domain: of the packages it may import engine/text only';
}

/** What the API says in words, and how it reads identifiers: of contracts/public, without zod. */
export const plainContracts = [
  'call-warnings',
  'characters',
  'check-context',
  'error-types',
  'format-limit',
  'identifiers',
  'warnings',
].map((name) => `packages/contracts/public/${name}.ts`);

function engineReason(target: string): string | null {
  if (plainContracts.includes(target)) return null;
  return 'the engine takes types of contracts, and of contracts/public the words and identifiers that need no zod';
}

/** What is bundled into the client: no zod, so of the contracts what does not need it. The engine's arguments have types of `internal`. */
function sdkReason(target: string, isTypeOnly: boolean): string | null {
  if (/^packages\/(engine|contracts\/public)\//.test(target)) return null;
  if (isTypeOnly && target.startsWith('packages/contracts/internal/')) return null;
  return 'the client imports the engine, contracts/public, and types of contracts/internal only';
}

function packageReason(from: string, specifier: string): string | null {
  if (from === 'contracts' && specifier !== 'zod') return 'contracts are zod alone';
  if (from === 'engine') return 'the engine imports no package';
  if (from === 'sdk' && specifier !== 'react') return 'the client has no dependencies';
  return null;
}

/** A client package takes `public/` alone; the console knows nothing of the RPC between Worker and objects. */
function contractReason(path: string, target: string): string | null {
  const [, , from = ''] = path.split('/');
  const [, , to = ''] = target.split('/');
  if (from === 'public' && to !== 'public') return 'contracts/public imports contracts/public only';
  if (from === 'console' && to === 'internal') return 'contracts/console never imports contracts/internal';
  return null;
}

function foreignDomainReason(path: string, target: string): string | null {
  const [, own] = domainFile.exec(path) ?? [];
  const [, other, file = ''] = domainFile.exec(target) ?? [];
  if (other === undefined || other === own) return null;
  const isOffered = offeredFiles.get(other)?.some((name) => file === `${name}.ts`) === true;
  return isOffered || file === 'reads.ts'
    ? null
    : `of another domain only reads.ts or what it offers in offered-files.ts may be imported, not ${file}`;
}

function webDomainOf(path: string): string | undefined {
  return webDomain.exec(path)?.[1];
}

function listed(layers: readonly string[]): string {
  return layers.length === 0 ? 'nothing but itself' : `itself and ${layers.join(', ')}`;
}
