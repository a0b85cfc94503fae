// `npm run screenshots [-- word ...]`: screenshots of a running server (TESSERA_URL, default port 4001) in both themes and three widths, into
// a new folder. Words are kinds (pages, dialogs, states) and names: `-- dialogs` takes all dialogs, `-- correct-meter plans` these two, `-- plans-states`
// a sheet of one screen's states. Without words, all pages. Pages and dialogs show the demo; states have organisations of their own, which the first
// run seeds. Fails if one could not be brought about.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumLaunchOptions } from '../dev/tools/chromium.ts';
import { readOptions } from '../dev/tools/read-options.ts';
import { findServer } from '../dev/tools/running-server.ts';
import { makeSheets } from './screenshots/make-sheets.ts';
import { chooseShots } from './screenshots/shots.ts';
import { takeShots } from './screenshots/take-shots.ts';

const { positionals } = readOptions('screenshots', {}, 'kinds and names');
const shots = chooseShots(positionals);
const url = await findServer();
const folder = mkdtempSync(join(tmpdir(), 'tessera-screenshots-'));
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  const failures = await takeShots(browser, url, folder, shots);
  await makeSheets(browser, folder, shots);
  console.log(`${shots.length} screenshots, in every look, in ${folder}`);
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
}
