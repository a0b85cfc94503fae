// Combines the screenshots of each sheet into one image per look, to compare them side by side.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import type { Shot } from './shot.ts';
import { fileOf, LOOKS } from './take-shots.ts';

/** The widest image that viewers show unscaled. */
const SHEET_WIDTH = 1560;
const GAP = 10;

export async function makeSheets(browser: Browser, folder: string, shots: readonly Shot[]): Promise<void> {
  const page = await browser.newPage();
  for (const [sheet, ofSheet] of Map.groupBy(shots, (shot) => shot.sheet)) {
    if (sheet === undefined) continue;
    for (const look of LOOKS) {
      const paths = ofSheet.map((shot) => join(folder, fileOf(shot, look))).filter(existsSync);
      const name = `sheet-${sheet}-${look.theme}-${look.size.width}.png`;
      await makeSheet(page, join(folder, name), paths, look.size.width > 768 ? 3 : 5);
    }
  }
  await page.close();
}

async function makeSheet(page: Page, path: string, files: readonly string[], columns: number): Promise<void> {
  const pictures = await Promise.all(files.map(async (file) => (await readFile(file)).toString('base64')));
  const style = `body{margin:${GAP}px;background:#888;display:grid;gap:${GAP}px;align-items:start;grid-template-columns:repeat(${columns},1fr)}img{width:100%}`;
  const images = pictures.map((picture) => `<img src="data:image/png;base64,${picture}">`);
  await page.setViewportSize({ width: SHEET_WIDTH, height: 400 });
  await page.setContent(`<style>${style}</style>${images.join('')}`);
  await page.screenshot({ path, fullPage: true });
}
