/** What the tests of React parts share: a page's script, built as an application would build it, and a browser to run it in. */
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import { chromiumLaunchOptions } from '../../dev/tools/chromium.ts';
import { root } from '../../dev/tools/run-tool.ts';

/** @param entry a file of this folder */
export async function openBrowser(
  entry: string,
): Promise<{ readonly browser: Browser; readonly script: string }> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, entry), formats: ['es'] },
    },
  });
  const [{ output }] = built as [Rolldown.RolldownOutput];
  return { browser: await chromium.launch(chromiumLaunchOptions()), script: output[0].code };
}
