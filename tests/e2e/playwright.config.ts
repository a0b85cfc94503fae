// The browser tests: one Chromium against what `npm start` serves, on a port and with data of its own. TESSERA_URL runs
// them against a server that is already there.
import { defineConfig } from '@playwright/test';
import { chromiumLaunchOptions } from '../../dev/chromium.ts';
import { chooseServer } from './support/chosen-server.ts';

const { url, isOwn } = await chooseServer();

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  testIgnore: isOwn ? [] : ['social-sign-in.spec.ts'], // A server that is already there has providers of its own.
  outputDir: 'test-results',
  globalSetup: './support/start-server.ts',
  forbidOnly: true,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: url,
    browserName: 'chromium',
    launchOptions: chromiumLaunchOptions(),
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
});
