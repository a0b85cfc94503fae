// The projects that Vitest runs: `engine`, `sdk`, `pure`, `rules`, `web`, `dev`, `emulator` and `crash` in Node, and `react`, which starts Chromium; `worker` inside workerd with the bindings of
// wrangler.toml, the Stripe emulator and the process of hostile workflows; `conformance` in Node against the server that CONFORMANCE_URL names, if it is set.
// The browser tests have their own configuration in tests/e2e.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { cloudflareTest } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';
import { buildCodeReader } from '../dev/build/build-code-reader.mjs';
import { keepStorageInMemory } from './support/keep-storage-in-memory.ts';
import { migratedDatabase } from './support/migrated-database.ts';
import { PATIENCE } from './support/patience.ts';

keepStorageInMemory();

const root = resolve(import.meta.dirname, '..');
const failOnConsole = resolve(root, 'tests/support/fail-on-console.ts');
const fewerRandomRuns = resolve(root, 'tests/support/fewer-random-runs.ts');
const patience = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: PATIENCE },
};

/** Node tests: everything below tests/<name>, or `folder`. `isolate: false` lets files share modules, which start once per worker. */
function nodeProject(
  name: string,
  {
    folder = `tests/${name}`,
    isolate = true,
    globalSetup = [] as string[],
    setupFiles = [] as string[],
  } = {},
) {
  return {
    root,
    test: {
      name,
      include: [`${folder}/**/*.test.{ts,tsx}`],
      environment: 'node',
      isolate,
      globalSetup,
      setupFiles: [failOnConsole, ...setupFiles],
      ...patience,
    },
  };
}

/** The SDK refers to source maps that its package does not contain; Vite warns of each. */
const withoutSourceMaps = {
  name: 'stripe-without-source-maps',
  enforce: 'pre' as const,
  load(id: string) {
    if (!/[\\/]node_modules[\\/]stripe[\\/].*\.js$/.test(id)) return null;
    return { code: readFileSync(id, 'utf8').replace(/\/\/# sourceMappingURL=.*/, ''), map: null };
  },
};

/**
 * In the tests every `import()` is a call to Vitest's process, even of a module that is loaded, and requests that make it at the same
 * time share its promise. workerd ends such a request as hung if the other one was first, so the Worker's modules are imported statically.
 */
const withoutDynamicImports = {
  name: 'without-dynamic-imports',
  enforce: 'post' as const,
  transform(code: string, id: string) {
    if (!/[\\/](worker|durable-objects)[\\/][^?]*\.ts$/.test(id) || !code.includes('import(')) return null;
    const imports: string[] = [];
    const loaded = code.replace(/\bimport\(('[^'$]+'|"[^"$]+")\)/g, (_, specifier: string) => {
      imports.push(`import * as loaded${imports.length} from ${specifier};\n`);
      return `Promise.resolve(loaded${imports.length - 1})`;
    });
    return { code: imports.join('') + loaded, map: null };
  },
};

/** Tests inside workerd. Static assets are not part of the project, so the console need not be built. */
async function workerProject() {
  await buildCodeReader();
  const developmentVars = parseEnv(readFileSync(resolve(root, 'dev/development.vars'), 'utf8'));
  return {
    root,
    plugins: [
      withoutSourceMaps,
      withoutDynamicImports,
      cloudflareTest(({ inject }) => ({
        main: resolve(root, 'worker/development.ts'),
        remoteBindings: false,
        wrangler: { configPath: resolve(root, 'wrangler.toml') },
        miniflare: {
          bindings: {
            ...developmentVars,
            STRIPE_API_BASE: inject<string>('stripeEmulatorUrl'),
            STRIPE_EMULATOR_KEY: 'sk_test_emulator_fennel',
            MIGRATED_DATABASE: migratedDatabase(resolve(root, 'migrations')),
          },
        },
      })),
    ],
    test: {
      name: 'worker',
      // Loading the Worker's modules takes longer than most files' tests: files share an isolate, and prepare-storage.ts separates them.
      isolate: false,
      include: ['tests/{worker,objects}/**/*.test.ts'],
      globalSetup: [
        resolve(root, 'tests/start-stripe-emulator.ts'),
        resolve(root, 'tests/start-workflow-runner.ts'),
      ],
      setupFiles: [failOnConsole, resolve(root, 'tests/support/prepare-storage.ts')],
      // An isolate loads every module over a socket: bundled packages are a handful of modules instead of a thousand.
      deps: {
        optimizer: {
          ssr: {
            enabled: true,
            rolldownOptions: { external: [/^node:/, /^cloudflare:/] },
            include: [
              'drizzle-orm',
              'drizzle-orm/sqlite-core',
              'drizzle-orm/d1',
              'drizzle-orm/batch',
              'zod',
              'stripe',
              'hono',
              'hono/utils/cookie',
              'jose',
              'better-auth',
              'better-auth/api',
              'better-auth/minimal',
              'better-auth/crypto',
              'better-auth/social-providers',
              'better-auth/adapters/drizzle',
              'fast-check',
              '@cfworker/json-schema',
            ],
          },
        },
      },
      ...patience,
    },
  };
}

export default defineConfig({
  root,
  test: {
    allowOnly: false,
    maxWorkers: availableParallelism() + 1, // Tests wait, for objects and for time to pass. Each worker loads all modules.
    projects: [
      nodeProject('engine', {
        folder: 'packages/engine/tests',
        isolate: false,
        setupFiles: [fewerRandomRuns],
      }),
      nodeProject('sdk', { folder: 'packages/sdk/tests' }),
      nodeProject('pure', { isolate: false }),
      nodeProject('rules', { isolate: false }),
      nodeProject('web', { isolate: false }),
      nodeProject('dev'),
      nodeProject('emulator', { folder: 'packages/stripe-emulator/tests' }),
      nodeProject('consumers'),
      nodeProject('crash'),
      nodeProject('react'),
      ...(process.env.CONFORMANCE_URL
        ? [
            nodeProject('conformance', {
              globalSetup: [resolve(root, 'tests/provide-conformance-target.ts')],
            }),
          ]
        : []),
      await workerProject(),
    ],
  },
});
