// The browser tests: Chromium against what `npm start` serves, on a free port and with data of its own. TESSERA_URL runs
// them against a running server instead. Tracing slows every action down, so it is off: add `--trace retain-on-failure`.
import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { chromiumLaunchOptions } from '../../dev/tools/chromium.ts';
import { keepStorageInMemory } from '../support/keep-storage-in-memory.ts';
import { chooseServer } from './support/chosen-server.ts';

keepStorageInMemory();

const { url, isOwn } = await chooseServer();
const chromium = chromiumLaunchOptions();

/** A page lives for a few seconds: compiling its code to machine code takes longer than it saves. */
const withoutOptimisation = '--js-flags=--no-opt --no-maglev';

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  testIgnore: isOwn ? [] : ['social-sign-in.spec.ts'], // A running server has identity providers of its own.
  outputDir: 'test-results',
  globalSetup: './support/start-server.ts',
  forbidOnly: true,
  workers: availableParallelism() + 1, // Tests wait, for pages and for time to pass. Each worker has its browser.
  // Bounds for what hangs, generous because a busy machine is slow, not wrong.
  timeout: 180_000,
  expect: { timeout: 40_000 },
  use: {
    baseURL: url,
    browserName: 'chromium',
    // The tests of a worker share one page, emptied in between: it has compiled the console already.
    reuseContext: true,
    launchOptions: { ...chromium, args: [...(chromium.args ?? []), withoutOptimisation] },
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
  },
});
