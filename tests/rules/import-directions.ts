// Who may import whom. Every file of the product belongs to one layer; each layer says what it may import, and why not
// when it may not.
import type { Import } from './source-tree.ts';

const domainFile = /^worker\/domains\/([^/]+)\/(.+)$/;
const webFeature = /^web\/features\/([^/]+)\//;

/** The layer of a file, by its path relative to the root. */
export function layerOf(path: string): string {
  const [top, second] = path.split('/');
  if (top === 'durable-objects') return 'objects';
  if (top === 'web' && (second === 'ui' || second === 'features')) return `web-${second}`;
  if (top !== 'worker') return top ?? '';
  const isRootFile = path.split('/').length === 2;
  if (path === 'worker/env.ts') return 'env';
  return isRootFile ? 'root' : (second ?? '');
}

/** The layers that each layer may import, itself apart. The finer rules are in `reasonAgainst`. */
const allowed = new Map<string, readonly string[]>([
  ['contracts', []],
  ['engine', ['contracts']],
  ['env', ['contracts', 'engine', 'platform', 'queue', 'objects']],
  ['platform', ['contracts', 'engine', 'env']],
  ['db', ['contracts', 'engine', 'platform', 'env']],
  ['queue', ['contracts', 'engine', 'platform', 'db', 'env']],
  ['http', ['contracts', 'engine', 'platform', 'db', 'env']],
  ['domains', ['contracts', 'engine', 'http', 'platform', 'db', 'queue', 'env', 'objects']],
  ['objects', ['contracts', 'engine', 'platform', 'queue', 'env']],
  ['root', ['contracts', 'engine', 'http', 'platform', 'db', 'queue', 'env', 'objects', 'domains']],
  ['web', ['contracts', 'engine', 'web-ui', 'web-features']],
  ['web-features', ['contracts', 'engine', 'web', 'web-ui']],
  ['web-ui', ['web']],
]);

/** Why `path` may not have this import, or null when it may. Packages are free but for contracts and engine. */
export function reasonAgainst(path: string, { specifier, target, isTypeOnly }: Import): string | null {
  const from = layerOf(path);
  if (target === null) return packageReason(from, specifier);
  const to = layerOf(target);
  const layers = allowed.get(from);
  if (layers === undefined) return null;
  if (to !== from && !layers.includes(to)) return `${from} may import ${listed(layers)}, not ${to}`;
  if (from === 'engine' && to === 'contracts' && !isTypeOnly)
    return 'the engine takes types of contracts only';
  if (to === 'objects' && from === 'domains' && target !== 'durable-objects/stubs.ts') {
    return 'a domain reaches objects through durable-objects/stubs.ts';
  }
  if (from === 'domains') return foreignDomainReason(path, target);
  if (from === 'web-features' && to === 'web-features' && featureOf(path) !== featureOf(target)) {
    return 'features of the console never import each other';
  }
  if (from === 'web-ui' && to === 'web' && !target.startsWith('web/theme/')) {
    return 'web/ui knows no domain: of the console it may import web/theme only';
  }
  return null;
}

function packageReason(from: string, specifier: string): string | null {
  if (from === 'contracts' && specifier !== 'zod') return 'contracts are zod alone';
  if (from === 'engine') return 'the engine imports no package';
  return null;
}

function foreignDomainReason(path: string, target: string): string | null {
  const [, own] = domainFile.exec(path) ?? [];
  const [, other, file = ''] = domainFile.exec(target) ?? [];
  if (other === undefined || other === own) return null;
  const isUseCase = /^[a-z]+(-[a-z0-9]+)+\.ts$/.test(file) && !/-(store|routes|guard)\.ts$/.test(file);
  return isUseCase ? null : `of another domain only a use case (verb-noun.ts) may be imported, not ${file}`;
}

function featureOf(path: string): string | undefined {
  return webFeature.exec(path)?.[1];
}

function listed(layers: readonly string[]): string {
  return layers.length === 0 ? 'nothing but itself' : `itself and ${layers.join(', ')}`;
}
